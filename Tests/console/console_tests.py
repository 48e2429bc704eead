"""Walks through the web console as an operator does."""

import unittest

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

import story
from browser import Browser

MONTH = story.tell()
OTHER = "b2b2b2b2-0000-4000-8000-00000000000b"


class ConsoleTests(unittest.TestCase):
    def window(self, token=story.ADMIN, **options):
        """A window, signed in by keyboard. At its end it must have asked nobody else and complained of nothing."""
        browser = Browser(**options)
        self.addCleanup(browser.close)
        self.addCleanup(self.check, browser)
        browser.open(f"{story.URL}/admin")
        browser.sees("Operator’s token")
        browser.type(token)
        browser.press(Keys.ENTER)
        browser.sees("Find an account")
        return browser

    def check(self, browser):
        for url in browser.requests():
            # A blob is the browser's own, made by the page for a download.
            self.assertTrue(url.startswith((story.URL, "data:", "blob:")), f"asked somebody else: {url}")
            self.assertNotIn("eyJ", url, "a token or a signed text in an address")
        self.assertEqual([line for line in browser.complaints() if "favicon" not in line], [])

    def find(self, browser, text):
        browser.tab_to("Find an account by any id", back=True)
        browser.type(text)
        browser.press(Keys.ENTER)

    def open_account(self, browser):
        self.find(browser, story.ACCOUNT)
        browser.sees("History")
        browser.sees("pro is not active")

    def test_a_wrong_token_is_refused_and_a_good_one_is_kept_for_the_tab_only(self):
        browser = Browser()
        self.addCleanup(browser.close)
        browser.open(f"{story.URL}/admin")
        browser.sees("Operator’s token")
        browser.type(story.READY["tokens"]["device"])
        browser.press(Keys.ENTER)
        browser.sees("This is no operator’s token")
        browser.select_all()
        # Forged: the service must say so, not the page.
        browser.type(story.ADMIN[:-8] + "AAAAAAAA")
        browser.press(Keys.ENTER)
        browser.sees("no longer accepted")
        browser.select_all()
        browser.type(story.ADMIN)
        browser.press(Keys.ENTER)
        browser.sees("Find an account")
        browser.driver.refresh()
        browser.sees("Find an account")
        stores = browser.driver.execute_script("return [localStorage.length, document.cookie, sessionStorage.length]")
        self.assertEqual(stores, [0, "", 1])
        browser.activate("Sign out")
        browser.sees("Operator’s token")
        self.assertEqual(browser.driver.execute_script("return sessionStorage.length"), 0)

    def test_an_account_is_found_by_each_of_its_ids(self):
        browser = self.window()
        for text in (story.ACCOUNT, MONTH, "outage-3-june"):
            self.find(browser, text)
            browser.sees("History")
            self.assertIn(story.ACCOUNT, browser.driver.find_element(By.TAG_NAME, "h1").text)
            browser.activate("Entitled", back=True)
            browser.sees("Type an id above")
        self.find(browser, "no-such-id")
        browser.sees("Nothing of this id is known")

    def test_account_why_it_lost_access_and_what_was_known_then(self):
        browser = self.window()
        self.open_account(browser)
        browser.sees("was refunded")
        label = browser.one("svg[role=img]").get_attribute("aria-label")
        self.assertIn("pro is not active", label)
        browser.picture("console-account", whole=True)
        # The slider at the very left: before anything was known.
        slider = browser.tab_to("Known at", back=True)
        browser.press(Keys.HOME)
        browser.sees("This account has no events")
        browser.press(Keys.END)
        browser.sees("pro is not active")
        # The agent's view just before the refund was learned.
        rows = browser.driver.find_elements(By.CSS_SELECTOR, "[aria-label=History] tbody tr")
        self.assertIn("refunded", rows[0].text)
        browser.tab_to("before")
        browser.press(Keys.ENTER)
        browser.sees("pro is active")
        self.assertIn("knownAt=", browser.driver.current_url)
        browser.picture("console-time-travel")
        # The address can be sent to a colleague.
        browser.driver.refresh()
        browser.sees("pro is active")

    def test_granting_and_taking_back_is_recorded(self):
        browser = self.window(story.SUPPORT)
        self.open_account(browser)
        self.assertNotIn("Erase", browser.driver.find_element(By.TAG_NAME, "main").text)
        browser.activate("Grant…")
        browser.sees("Grant access")
        browser.picture("console-grant")
        self.assertEqual(browser.focused().get_attribute("name"), "entitlement")
        browser.select_all()
        browser.type("extra")
        browser.tab_to("Reason It is recorded with your name.")
        browser.type("the console’s test")
        browser.press(Keys.ENTER)
        browser.sees("\nextra is active, for ever, by grant")
        granted = story.ask("GET", f"/accounts/{story.ACCOUNT}/history")["history"][-1]
        self.assertEqual((granted["type"], granted["reason"]), ("granted", "the console’s test"))
        browser.activate(f"Take back {granted['grantId']}…")
        browser.sees("What it unlocks ends now")
        browser.type("done with it")
        browser.press(Keys.ENTER)
        browser.sees("extra is not active")
        browser.activate("What operators did to this account")
        browser.sees("done with it")
        acts = story.ask("GET", "/audit", query={})["acts"]
        self.assertEqual([(act["act"], act["actor"], act["scope"]) for act in acts[:2]], [("revokeGrant", "kim", "support"), ("grant", "kim", "support")])
        browser.picture("console-acts")

    def test_erasing_asks_twice_and_a_purchase_moves(self):
        browser = self.window()
        story.ask("PUT", f"/accounts/{OTHER}")
        self.find(browser, OTHER)
        browser.sees("Nothing of this id")
        browser.open(f"{story.URL}/admin#/account/{OTHER}?environment=Sandbox")
        browser.sees("has no events")
        bought = story.push(story.sign("export"))["results"][0]["transactionId"]
        browser.activate("Move a purchase here…")
        browser.type(bought)
        browser.press(Keys.TAB)
        browser.type("bought with the wrong account")
        browser.press(Keys.ENTER)
        browser.sees("export is active")
        browser.activate("Erase…")
        browser.sees("Erase this account")
        browser.type("asked for in writing")
        browser.press(Keys.TAB)
        browser.type("wrong")
        browser.press(Keys.ENTER)
        browser.sees("nothing was done")
        browser.press(Keys.ESCAPE)
        browser.sees("export is active")
        browser.activate("Erase…")
        browser.type("asked for in writing")
        browser.press(Keys.TAB)
        browser.type(OTHER[:8])
        browser.press(Keys.ENTER)
        browser.sees("Erased")
        self.assertEqual(story.ask("GET", "/audit", query={})["acts"][0]["act"], "erase")

    def test_the_catalog_is_compared_before_it_counts(self):
        browser = self.window()
        browser.activate("Catalog")
        browser.sees("In force: revision")
        browser.tab_to("Change it")
        browser.press(Keys.ENTER)
        area = browser.tab_to("Catalog as JSON")
        text = area.get_attribute("value").replace('"amount": 100', '"amount": 120')
        browser.select_all()
        browser.type(text.replace("\n", ""))
        browser.activate("Compare")
        browser.sees("products.coins.100.credits")
        browser.picture("console-catalog", whole=True)
        browser.activate("Put into force…")
        browser.sees("Every account’s answer")
        browser.type("twenty more")
        browser.press(Keys.ENTER)
        browser.sees("twenty more")
        self.assertEqual(story.ask("GET", "/catalog")["revision"], 2)

    def test_the_lists_and_the_live_numbers(self):
        browser = self.window()
        browser.activate("Unclaimed")
        browser.sees("belong to nobody")
        browser.activate("Live")
        browser.sees("Held polls")
        browser.sees("GET /v1/apps")
        browser.wait(lambda: "≤" in browser.one("[aria-label=Routes]").text, "a time of a route")
        browser.picture("console-live")
        browser.activate("Pause")
        browser.sees("Go on")

    def test_account_and_every_page_in_dark_and_at_phone_width(self):
        for name, options in {"dark": {"dark": True}, "phone": {"width": 390, "height": 844}}.items():
            browser = self.window(**options)
            for page in ("find", f"account/{story.ACCOUNT}?environment=Sandbox", "unclaimed", "catalog", "acts", "operations"):
                browser.open(f"{story.URL}/admin#/{page}")
                browser.wait(lambda: not browser.driver.find_elements(By.CSS_SELECTOR, "main[aria-busy]"), page)
                browser.one("h1")
                self.assertLessEqual(browser.overflow(), 0, f"{page} is too wide ({name})")
                if page.startswith("account"):
                    browser.sees("History")
                    browser.picture(f"console-{name}", whole=True)
            back = browser.driver.execute_script("return getComputedStyle(document.body).backgroundColor")
            self.assertEqual(name == "dark", sum(int(part) for part in back[4:-1].split(",")) < 200)

    def test_everything_that_can_be_used_has_a_name_and_can_be_seen(self):
        browser = self.window()
        self.open_account(browser)
        for element in browser.driver.find_elements(By.CSS_SELECTOR, "a, button, input, select, textarea, summary"):
            self.assertTrue(element.accessible_name, element.get_attribute("outerHTML"))
        self.assertEqual(len(browser.driver.find_elements(By.TAG_NAME, "h1")), 1)
        self.assertEqual(browser.driver.find_elements(By.CSS_SELECTOR, "[style]"), [])
        for scheme in ("light", "dark"):
            features = [{"name": "prefers-color-scheme", "value": scheme}]
            browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
            for pair, least in CONTRASTS:
                ratio = contrast(*(browser.driver.execute_script(COLOUR, name) for name in pair))
                self.assertGreaterEqual(ratio, least, f"{pair} in {scheme}")


# The colours that words are written in, and the least contrast to read them (WCAG 2.2, 1.4.3).
CONTRASTS = [((name, back), 4.5) for name in ("text", "quiet", "accent", "good", "warn", "bad") for back in ("card", "back")]
COLOUR = "return getComputedStyle(document.documentElement).getPropertyValue('--' + arguments[0]).trim()"


def contrast(one, other):
    def luminance(colour):
        digits = colour.lstrip("#")
        digits = digits if len(digits) == 6 else "".join(digit * 2 for digit in digits)
        parts = [int(digits[index : index + 2], 16) / 255 for index in (0, 2, 4)]
        red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)
