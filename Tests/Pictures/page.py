"""Draws the page of a scenario in an HTML report, with the elements and the styles of the report."""

import re
from xml.sax.saxutils import escape

WIDTH = 800

# The attributes that the styles use.
ATTRIBUTES = ["class", "style", "role", "colspan", "aria-current", "data-number"]

# Everything but the first differences and the records after the last step.
UNUSED = ", ".join([
    "body > :not(header, main)", "button.plain", ".hidden", ".neighbors", ".contents", ".facts > div + div",
    "main > section:not(#differences, #steps)", ".difference:nth-of-type(n + 3)",
    ".slider", ".step > :not(.step-title, .tables)",
])

# Removes elements and attributes, and returns the page as XML.
CUT = """
const [unused, attributes] = arguments;
for (const element of document.body.querySelectorAll(unused)) element.remove();
for (const element of document.body.querySelectorAll("*")) {
  for (const { name } of [...element.attributes]) if (!attributes.includes(name)) element.removeAttribute(name);
}
for (const node of [...document.body.childNodes]) if (node.nodeType === Node.TEXT_NODE) node.remove();
return new XMLSerializer().serializeToString(document.body);
"""

# Returns the indices of the selectors that select something on the page.
MATCH = """
return arguments[0].flatMap((selector, index) => document.querySelector(selector) ? [index] : []);
"""

COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
DARK = "@media (prefers-color-scheme: dark)"
# A comma that is not between parentheses.
COMMA = re.compile(r",\s*(?![^()]*\))")
# Selectors of states, which no element of a picture has.
STATES = re.compile(r":(hover|focus|focus-visible|disabled|checked)\b")
BLOCK = re.compile(r"><(?=(?:article|div|dl|h\d|header|li|main|nav|ol|p|pre|section|table|tr)\b)")

# In Safari, elements that are positioned or clipped are misplaced in a scaled picture.
FRAME = """\
* { position: static !important; overflow: visible !important }
body { height: 100%; border: 1px solid var(--border); border-radius: 10px }
.bar { border-radius: 9px 9px 0 0 }
.scrolling, .step-list { border-radius: 3px }"""


def picture(browser, report, scenario, css, height, label):
    """Returns an SVG of a scenario's page."""
    browser.resize(WIDTH, 2000)
    browser.open(report, f"#scenario/{scenario}")
    page = browser.run(CUT, UNUSED, ATTRIBUTES)
    page = BLOCK.sub(">\n<", page)
    styles = used(css, browser)
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" role="img">',
        f"<title>{escape(label)}</title>",
        f"<style>\n{escape(styles)}\n{FRAME}\n</style>",
        '<foreignObject width="100%" height="100%">', page, "</foreignObject>", "</svg>",
    ]) + "\n"


def content_height(browser, file):
    """Returns the height of a picture down to the end of its last table."""
    browser.driver.get(file.as_uri())
    return browser.run("return Math.ceil([...document.querySelectorAll('table')].pop().getBoundingClientRect().bottom)")


def used(css, browser):
    """Returns the rules of a style sheet that apply to the page, for windows of any width."""
    css = COMMENT.sub("", css)
    media = re.findall(r"(@media[^{]*)\{((?:[^{}]*\{[^{}]*\})*)\s*\}", css)
    css = re.sub(r"@media[^{]*\{(?:[^{}]*\{[^{}]*\})*\s*\}", "", css)
    rules = [([part.strip() for part in COMMA.split(selectors.strip())], body.strip()) for selectors, body in RULE.findall(css)]
    parts = [part for selectors, _ in rules for part in selectors if not STATES.search(part)]
    plain = [re.sub(r"::[\w-]+", "", part) or "*" for part in parts]
    found = {parts[index] for index in browser.run(MATCH, plain)}
    lines = []
    for selectors, body in rules:
        kept = [part for part in selectors if part in found]
        if kept:
            lines.append(f"{', '.join(kept)} {{ {' '.join(body.split())} }}")
    for condition, body in media:
        if condition.strip() == DARK:
            lines.append(f"{DARK} {{\n" + "\n".join(f"{s.strip()} {{ {' '.join(b.split())} }}" for s, b in RULE.findall(body)) + "\n}")
    return "\n".join(lines)
