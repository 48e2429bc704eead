"""Chromium, driven by keys."""

import base64
import json
import os
import tempfile

from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

PATIENCE = 60


class Browser:
    """A window. Whatever it asks for, and whatever it complains about, is kept."""

    def __init__(self, width=1280, height=900, dark=False):
        options = webdriver.ChromeOptions()
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"]
        arguments += ["--disable-background-networking", "--disable-component-update", "--hide-scrollbars"]
        arguments += [f"--user-data-dir={self.profile.name}", f"--window-size={width},{height}"]
        for argument in arguments:
            options.add_argument(argument)
        options.binary_location = "/usr/bin/chromium"
        options.set_capability("goog:loggingPrefs", {"performance": "ALL", "browser": "ALL"})
        self.driver = webdriver.Chrome(service=webdriver.ChromeService("/usr/bin/chromedriver"), options=options)
        self.driver.set_page_load_timeout(PATIENCE)
        features = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        # Headless windows have a least width; a phone is narrower.
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        self.size = (width, height)
        self.asked = []
        # A new window begins with a page of the browser's own.
        self.open("about:blank")
        self.driver.get_log("performance")

    def open(self, url):
        self.driver.get(url)

    def close(self):
        self.driver.quit()
        self.profile.cleanup()

    # What is there

    def wait(self, found, what):
        """Waits until something is so, and returns it."""
        return WebDriverWait(self.driver, PATIENCE, ignored_exceptions=[Exception]).until(lambda _: found(), f"never came: {what}")

    def sees(self, text):
        """Waits until the page, or an open dialog, says so."""
        return self.wait(lambda: text in self.driver.find_element(By.TAG_NAME, "body").text, text)

    def one(self, selector):
        return self.wait(lambda: self.driver.find_element(By.CSS_SELECTOR, selector), selector)

    # Keys, nothing else

    def press(self, *keys):
        for key in keys:
            ActionChains(self.driver).send_keys(key).perform()

    def select_all(self):
        ActionChains(self.driver).key_down(Keys.CONTROL).send_keys("a").key_up(Keys.CONTROL).perform()

    def focused(self):
        return self.driver.switch_to.active_element

    def name_of_focused(self):
        """What a screen reader would call it."""
        return self.focused().accessible_name

    def tab_to(self, name, back=False, most=150):
        """Goes with the tabulator to what has this name."""
        seen = []
        for _ in range(most):
            ActionChains(self.driver).send_keys(Keys.TAB).perform() if not back else ActionChains(self.driver).key_down(
                Keys.SHIFT
            ).send_keys(Keys.TAB).key_up(Keys.SHIFT).perform()
            seen.append(self.name_of_focused())
            if seen[-1].strip() == name:
                return self.focused()
        raise AssertionError(f"the tabulator does not come to {name}; it came to {seen}")

    def activate(self, name, back=False):
        self.tab_to(name, back)
        self.press(Keys.ENTER)

    def type(self, text):
        ActionChains(self.driver).send_keys(text).perform()

    # What it did

    def requests(self):
        """Every address asked for so far."""
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                self.asked.append(message["params"]["request"]["url"])
        return self.asked

    def complaints(self):
        """What the browser's console has: errors of scripts, breaches of the policy."""
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] == "SEVERE"]

    def overflow(self):
        """By how many pixels the page is wider than its window."""
        return self.driver.execute_script("return document.documentElement.scrollWidth - window.innerWidth")

    def picture(self, name, whole=False):
        """Keeps a screenshot, if pictures are wanted."""
        directory = os.environ.get("ENTITLED_PICTURES")
        if not directory:
            return
        self.driver.execute_script("document.getElementById('said').textContent = ''")
        width, height = self.size
        if whole:
            height = min(1500, self.driver.execute_script("return document.documentElement.scrollHeight"))
        clip = {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}
        data = self.driver.execute_cdp_cmd("Page.captureScreenshot", {"clip": clip, "captureBeyondViewport": whole})["data"]
        with open(os.path.join(directory, f"{name}.png"), "wb") as file:
            file.write(base64.b64decode(data))
