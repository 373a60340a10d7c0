#include "RecordEngineCurl.h"

#if defined(__linux__)

CURLcode curl_easy_setopt(CURL *easy, CURLoption option, ...);
CURLMcode curl_multi_setopt(CURLM *multi, CURLMoption option, ...);

CURLcode record_engine_curl_set_number(CURL *easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}

CURLcode record_engine_curl_set_text(CURL *easy, CURLoption option, const char *value) {
  return curl_easy_setopt(easy, option, value);
}

CURLcode record_engine_curl_set_list(CURL *easy, CURLoption option, struct curl_slist *value) {
  return curl_easy_setopt(easy, option, value);
}

CURLcode record_engine_curl_set_body(CURL *easy, const void *bytes, size_t count) {
  CURLcode code = curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (int64_t)count);
  return code == CURLE_OK ? curl_easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, bytes) : code;
}

CURLcode record_engine_curl_set_callbacks(
    CURL *easy, record_engine_curl_receiver header, record_engine_curl_receiver body,
    record_engine_curl_progress progress, void *context) {
  CURLcode code = curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, header);
  if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_HEADERDATA, context);
  if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, body);
  if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_WRITEDATA, context);
  if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, progress);
  if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_XFERINFODATA, context);
  return code == CURLE_OK ? curl_easy_setopt(easy, CURLOPT_NOPROGRESS, 0L) : code;
}

CURLMcode record_engine_curl_set_multi_number(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}

#endif
