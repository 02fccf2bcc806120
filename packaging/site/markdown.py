# SPDX-License-Identifier: MIT
"""
Markdown as this tree's pages use it, as HTML: headings, paragraphs, lists, tables, code, links, strong words, comments.

    html(text, link, code)

link(target) gives the address for a link's target, or None: then the words stand without a link. code(text) gives the
address for the text of inline code, or None.
"""
import html as escapes
import re

FENCE = re.compile(r"^```(\w*)$")
ITEM = re.compile(r"^( *)(-|\d+\.) (.*)$")
HEADING = re.compile(r"^(#{1,4}) (.*)$")


def anchor(title):
    """The id of a heading, as forges make it."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


class Inline:
    """Words, with code, links and strong words in them."""

    PARTS = re.compile(r"(?P<ticks>`+)(?P<code>.+?)(?P=ticks)|\[(?P<words>[^\]]+)\]\((?P<target>[^)\s]+)\)"
                       r"|\*\*(?P<strong>.+?)\*\*", re.S)

    def __init__(self, link, code):
        self.link, self.code = link, code

    def html(self, text):
        done, at = [], 0
        for part in self.PARTS.finditer(text):
            done.append(escapes.escape(text[at:part.start()], quote=False))
            done.append(self.part(part))
            at = part.end()
        return "".join(done) + escapes.escape(text[at:], quote=False)

    def part(self, part):
        if part["code"]:
            words = " ".join(part["code"].split())
            return linked(f"<code>{escapes.escape(words, quote=False)}</code>", self.code(words))
        if part["words"]:
            return linked(self.html(part["words"]), self.link(part["target"]))
        return f"<strong>{self.html(part['strong'])}</strong>"


def linked(inside, address):
    return f'<a href="{escapes.escape(address)}">{inside}</a>' if address else inside


def cells(row):
    """A row's cells; a bar within code does not end one."""
    return [cell.strip() for cell in re.findall(r"((?:`[^`]*`|[^|`])*)\|", row.strip().lstrip("|"))]


def is_row(line):
    return line.lstrip().startswith("|")


class Blocks:
    """The lines of a page, taken one block at a time."""

    def __init__(self, text, inline):
        self.lines = re.sub(r"<!--.*?-->", "", text, flags=re.S).split("\n")
        self.at, self.inline = 0, inline

    def line(self):
        return self.lines[self.at] if self.at < len(self.lines) else None

    def take(self, wanted):
        """The lines from here on as long as `wanted` holds."""
        start = self.at
        while self.line() is not None and wanted(self.line()):
            self.at += 1
        return self.lines[start:self.at]

    def html(self):
        done = []
        while self.line() is not None:
            if self.line().strip():
                done.append(self.block())
            else:
                self.at += 1
        return "\n".join(done)

    def block(self):
        line = self.line()
        if FENCE.match(line):
            return self.fence()
        if HEADING.match(line):
            return self.heading()
        if is_row(line):
            return self.table()
        if ITEM.match(line):
            return self.items()
        words = self.take(lambda line: line.strip() and not (FENCE.match(line) or HEADING.match(line) or is_row(line)
                                                             or ITEM.match(line)))
        return f"<p>{self.inline.html(chr(10).join(words))}</p>"

    def heading(self):
        level, title = HEADING.match(self.line()).groups()
        self.at += 1
        plain = re.sub(r"\[([^\]]+)\]\([^)]*\)|[`*]", r"\1", title)
        return f'<h{len(level)} id="{anchor(plain)}">{self.inline.html(title)}</h{len(level)}>'

    def fence(self):
        self.at += 1
        body = self.take(lambda line: not FENCE.match(line))
        self.at += 1
        return f"<pre>{escapes.escape(chr(10).join(body), quote=False)}\n</pre>"

    def table(self):
        rows = [cells(row) for row in self.take(is_row)]
        head, body = rows[0], rows[2:]
        done = ['<div class="wide"><table>']
        # A heading without words is no heading.
        done.append("<tr>" + "".join(f"<th>{self.inline.html(cell)}</th>" if cell else "<td></td>" for cell in head) +
                    "</tr>")
        for row in body:
            done.append("<tr>" + "".join(f"<td>{self.inline.html(cell)}</td>" for cell in row) + "</tr>")
        return "\n".join([*done, "</table></div>"])

    def items(self):
        """A list; what is indented under an item is that item's own blocks."""
        indent, kind = len(ITEM.match(self.line())[1]), ITEM.match(self.line())[2]
        tag = "ul" if kind == "-" else "ol"
        done = [f"<{tag}>"]
        while self.line() is not None:
            item = ITEM.match(self.line())
            if not item or len(item[1]) != indent or (item[2] == "-") != (kind == "-"):
                break
            self.at += 1
            depth = indent + len(item[2]) + 1
            more = self.take(lambda line, depth=depth: line.startswith(" " * depth) or not line.strip())
            inner = Blocks("\n".join([item[3], *(line[depth:] for line in more)]), self.inline).html()
            done.append("<li>" + re.sub(r"^<p>(.*?)</p>", r"\1", inner, count=1, flags=re.S) + "</li>")
        return "\n".join([*done, f"</{tag}>"])


def html(text, link, code):
    return Blocks(text, Inline(link, code)).html()
