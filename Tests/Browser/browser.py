"""A headless Chromium that opens reports, and records everything that goes wrong in it."""

import json
import time

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

SECONDS = 20


class Browser:
    def __init__(self, chromium, driver):
        options = Options()
        if chromium:
            options.binary_location = chromium
        arguments = [
            "--headless=new", "--disable-gpu", "--hide-scrollbars", "--no-first-run", "--disable-extensions",
            # The containers of CI have neither the namespaces that the sandbox needs nor much shared memory.
            "--no-sandbox", "--disable-dev-shm-usage",
        ]
        for argument in arguments:
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service(driver) if driver else Service())
        self.driver.set_script_timeout(SECONDS)
        self.resize(1440, 900)

    def close(self):
        self.driver.quit()

    def resize(self, width, height):
        self.driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})

    def set_scheme(self, scheme):
        self.driver.execute_cdp_cmd(
            "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})

    def open(self, path, fragment=""):
        """Opens a file, and returns the seconds until the page is ready."""
        start = time.monotonic()
        # Another address with the same path would not load the file again.
        self.driver.get("about:blank")
        self.driver.get(path.as_uri() + fragment)
        self.wait("the page to be ready", lambda: self.run("return document.body.classList.contains('ready')"))
        return time.monotonic() - start

    def go(self, fragment):
        self.run("location.hash = arguments[0]", fragment)
        self.settle()

    def settle(self):
        """Waits until the page has handled its events and is drawn. An event may change the address, which is another event."""
        self.driver.execute_async_script("""
            const done = arguments[0];
            const next = action => requestAnimationFrame(() => setTimeout(action));
            next(() => next(done));""")

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def wait(self, name, condition):
        WebDriverWait(self.driver, SECONDS, poll_frequency=0.05).until(
            lambda _: condition(), f"waited {SECONDS} s for {name}")

    # Elements

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def one(self, selector):
        found = self.all(selector)
        if len(found) != 1:
            raise AssertionError(f"expected one element {selector!r}, found {len(found)}")
        return found[0]

    def text(self, selector):
        return self.one(selector).text

    def texts(self, selector):
        return [element.text for element in self.all(selector)]

    def click(self, selector):
        self.click_element(self.one(selector))

    def click_element(self, element):
        """Clicks an element in the middle of the window, where the bars of the page do not cover it."""
        self.run("arguments[0].scrollIntoView({block: 'center'})", element)
        element.click()
        self.settle()

    def press(self, *keys):
        """Presses keys, one after the other, on the element with the focus."""
        for key in keys:
            ActionChains(self.driver).send_keys(key).perform()
            self.settle()

    @property
    def fragment(self):
        return self.run("return decodeURIComponent(location.hash)")

    # Problems

    def messages(self):
        """Returns the messages of the console since the last call."""
        return [f"{entry['level']}: {entry['message']}" for entry in self.driver.get_log("browser")]

    def requests(self):
        """Returns the addresses since the last call that the browser requested, apart from the reports themselves."""
        found = []
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                found.append(message["params"]["request"]["url"])
        return [address for address in found if not address.startswith(("file:", "data:", "about:"))]

    def overflow(self):
        """Returns the number of pixels by which the page is wider than the window."""
        return self.run("return document.documentElement.scrollWidth - document.documentElement.clientWidth")

    def screenshot(self, path):
        self.settle()
        self.driver.save_screenshot(str(path))
