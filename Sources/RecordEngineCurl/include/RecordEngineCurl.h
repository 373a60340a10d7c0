// The declarations of libcurl 7.68 and later that RecordEngineHTTP uses. Swift for Linux installs the library without its
// headers. The names and numbers are those of the binary interface, libcurl.so.4 (https://curl.se/libcurl/abi.html).
#ifndef RECORD_ENGINE_CURL_H
#define RECORD_ENGINE_CURL_H

#include <stddef.h>
#include <stdint.h>

// MARK: Setup

enum { CURL_GLOBAL_DEFAULT = 3 };

typedef enum {
  CURLE_OK = 0,
  CURLE_UNSUPPORTED_PROTOCOL = 1,
  CURLE_URL_MALFORMAT = 3,
  CURLE_COULDNT_RESOLVE_PROXY = 5,
  CURLE_COULDNT_RESOLVE_HOST = 6,
  CURLE_COULDNT_CONNECT = 7,
  CURLE_WEIRD_SERVER_REPLY = 8,
  CURLE_HTTP2 = 16,
  CURLE_PARTIAL_FILE = 18,
  CURLE_OUT_OF_MEMORY = 27,
  CURLE_OPERATION_TIMEDOUT = 28,
  CURLE_SSL_CONNECT_ERROR = 35,
  CURLE_GOT_NOTHING = 52,
  CURLE_SEND_ERROR = 55,
  CURLE_RECV_ERROR = 56,
  CURLE_PEER_FAILED_VERIFICATION = 60,
  CURLE_BAD_CONTENT_ENCODING = 61,
  CURLE_HTTP2_STREAM = 92,
  CURLE_TOO_LARGE = 100,
} CURLcode;

CURLcode curl_global_init(long flags);
const char *curl_easy_strerror(CURLcode code);
void curl_free(void *memory);

// MARK: One transfer

typedef void CURL;

typedef enum {
  CURLOPT_NOPROGRESS = 43,
  CURLOPT_NOBODY = 44,
  CURLOPT_NOSIGNAL = 99,
  CURLOPT_SUPPRESS_CONNECT_HEADERS = 265,
  CURLOPT_QUICK_EXIT = 322,
  CURLOPT_WRITEDATA = 10001,
  CURLOPT_URL = 10002,
  CURLOPT_HTTPHEADER = 10023,
  CURLOPT_HEADERDATA = 10029,
  CURLOPT_CUSTOMREQUEST = 10036,
  CURLOPT_XFERINFODATA = 10057,
  CURLOPT_ACCEPT_ENCODING = 10102,
  CURLOPT_COPYPOSTFIELDS = 10165,
  CURLOPT_WRITEFUNCTION = 20011,
  CURLOPT_HEADERFUNCTION = 20079,
  CURLOPT_XFERINFOFUNCTION = 20219,
  CURLOPT_POSTFIELDSIZE_LARGE = 30120,
} CURLoption;

struct curl_slist {
  char *data;
  struct curl_slist *next;
};

struct curl_slist *curl_slist_append(struct curl_slist *list, const char *text);
void curl_slist_free_all(struct curl_slist *list);

CURL *curl_easy_init(void);
void curl_easy_cleanup(CURL *easy);

/// A function that receives bytes and returns their number. Any other number ends the transfer.
typedef size_t (*record_engine_curl_receiver)(char *bytes, size_t size, size_t count, void *context);
/// A function that receives the progress of a transfer. It returns 0 to continue the transfer.
typedef int (*record_engine_curl_progress)(
    void *context, int64_t expected, int64_t received, int64_t toSend, int64_t sent);

// The value of an option can have any type. Swift cannot call such a function, so each type has its own function.
CURLcode record_engine_curl_set_number(CURL *easy, CURLoption option, long value);
CURLcode record_engine_curl_set_text(CURL *easy, CURLoption option, const char *value);
CURLcode record_engine_curl_set_list(CURL *easy, CURLoption option, struct curl_slist *value);
/// Sets the body of the request. libcurl copies the bytes.
CURLcode record_engine_curl_set_body(CURL *easy, const void *bytes, size_t count);
/// Sets the functions that receive the header lines, the bytes of the body, and the progress of a transfer. Each function
/// is called with `context`.
CURLcode record_engine_curl_set_callbacks(
    CURL *easy, record_engine_curl_receiver header, record_engine_curl_receiver body,
    record_engine_curl_progress progress, void *context);

// MARK: Several transfers

typedef void CURLM;

typedef enum { CURLM_OK = 0 } CURLMcode;
typedef enum { CURLMOPT_MAX_HOST_CONNECTIONS = 7 } CURLMoption;
typedef enum { CURLMSG_DONE = 1 } CURLMSG;

typedef struct {
  CURLMSG msg;
  CURL *easy_handle;
  union {
    void *whatever;
    CURLcode result;
  } data;
} CURLMsg;

struct curl_waitfd;

CURLM *curl_multi_init(void);
CURLMcode curl_multi_cleanup(CURLM *multi);
CURLMcode curl_multi_add_handle(CURLM *multi, CURL *easy);
CURLMcode curl_multi_remove_handle(CURLM *multi, CURL *easy);
CURLMcode curl_multi_perform(CURLM *multi, int *runningCount);
CURLMcode curl_multi_poll(
    CURLM *multi, struct curl_waitfd *extra, unsigned int extraCount, int milliseconds, int *readyCount);
CURLMcode curl_multi_wakeup(CURLM *multi);
CURLMsg *curl_multi_info_read(CURLM *multi, int *waitingCount);
const char *curl_multi_strerror(CURLMcode code);
CURLMcode record_engine_curl_set_multi_number(CURLM *multi, CURLMoption option, long value);

// MARK: URLs

typedef struct Curl_URL CURLU;

typedef enum { CURLUE_OK = 0 } CURLUcode;
typedef enum { CURLUPART_URL = 0, CURLUPART_HOST = 5 } CURLUPart;

CURLU *curl_url(void);
void curl_url_cleanup(CURLU *url);
CURLUcode curl_url_set(CURLU *url, CURLUPart part, const char *text, unsigned int flags);
CURLUcode curl_url_get(const CURLU *url, CURLUPart part, char **text, unsigned int flags);

#endif
