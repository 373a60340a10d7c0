"""Draws the output of a command as a window of a terminal."""

import re
from xml.sax.saxutils import escape

# The styles of the escape codes that recordspec uses.
STYLES = {"1": "strong", "2": "quiet", "31": "red", "32": "green", "33": "yellow", "36": "blue"}
ESCAPE = re.compile(r"\x1b\[([0-9;]*)m")

COLUMN = 7.85  # The widest of the usual fonts has these columns at 13 px.
LINE = 20
MARGIN = 20
BAR = 36

STYLE = """\
text { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #1f2328 }
.window { fill: #ffffff; stroke: #d0d7de }
.bar { fill: #f3f5f8 }
.line { stroke: #d0d7de }
.dot { fill: #c9d0d8 }
.strong { font-weight: bold }
.quiet { fill: #57606a }
.red { fill: #c01c28 }
.green { fill: #166e30 }
.yellow { fill: #875800 }
.blue { fill: #1a5fb4 }
@media (prefers-color-scheme: dark) {
text { fill: #e6e9ee }
.window { fill: #0f1318; stroke: #3a434f }
.bar { fill: #1c222b }
.line { stroke: #3a434f }
.dot { fill: #4a5462 }
.quiet { fill: #a3acb8 }
.red { fill: #ff8a80 }
.green { fill: #57c76b }
.yellow { fill: #e2b04c }
.blue { fill: #80b4ff }
}"""


def picture(command, output, label):
    """Returns an SVG of a command at a prompt, and of its output with escape codes."""
    lines = [f"\x1b[2m$\x1b[0m \x1b[1m{command}\x1b[0m", *output.rstrip("\n").split("\n")]
    columns = max(len(ESCAPE.sub("", line)) for line in lines)
    width = round(columns * COLUMN) + 2 * MARGIN
    height = BAR + len(lines) * LINE + 2 * MARGIN - 8
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="img">',
        f"<title>{escape(label)}</title>",
        f"<style>\n{STYLE}\n</style>",
        f'<clipPath id="window"><rect x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="9.5"/></clipPath>',
        f'<rect class="window" x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="9.5"/>',
        f'<rect class="bar" x="1" y="1" width="{width - 2}" height="{BAR - 1}" clip-path="url(#window)"/>',
        f'<path class="line" d="M1 {BAR}.5H{width - 1}"/>',
        *(f'<circle class="dot" cx="{x}" cy="{BAR // 2}" r="5.5"/>' for x in (22, 42, 62)),
    ]
    for number, line in enumerate(lines, start=1):
        if line:
            parts.append(f'<text xml:space="preserve" x="{MARGIN}" y="{BAR + MARGIN - 6 + number * LINE - 4}">{spans(line)}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def spans(line):
    """Returns a line with a `tspan` for each part that has a style."""
    texts = ESCAPE.split(line)
    parts = [escape(texts[0])]
    for codes, text in zip(texts[1::2], texts[2::2]):
        styles = [STYLES[code] for code in codes.split(";") if code not in ("", "0")]
        if text:
            parts.append(f'<tspan class="{" ".join(styles)}">{escape(text)}</tspan>' if styles else escape(text))
    return "".join(parts)
