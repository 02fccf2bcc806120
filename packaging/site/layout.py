# SPDX-License-Identifier: MIT
"""What all pages share: the head, the way to other pages, the field to search by, and the words for the search."""
import html as escapes
import json
import re

PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="style.css">
</head>
<body>
<header>
<a class="home" href="index.html">libhpt</a>
<nav>{ways}</nav>
<form action="search.html"><input name="q" type="search" placeholder="Search" aria-label="Search"></form>
</header>
<main{kind}>
{body}
</main>
<footer>libhpt {version}; MIT licence; made from the sources</footer>
</body>
</html>
"""

WAYS = (("manual.html", "Manual"), ("hpt_cookbook.7.html", "Cookbook"), ("examples-README.html", "Examples"),
        ("headers.html", "Headers"), ("figures.html", "Figures"), ("NEWS.html", "News"))

HEADING = re.compile(r"<h([1-4])([^>]*)>(.*?)</h\1>", re.S)
EXCERPT = 160


def page(title, body, version, kind=""):
    ways = " ".join(f'<a href="{address}">{words}</a>' for address, words in WAYS)
    return PAGE.format(title=escapes.escape(title), body=body, version=escapes.escape(version), ways=ways,
                       kind=f' class="{kind}"' if kind else "")


def plain(text):
    """The words of HTML."""
    return " ".join(escapes.unescape(re.sub(r"<[^>]*>", " ", text)).split())


def search_words(text):
    """What search.js takes for the words of a question, too: C++ is one, and us by its Greek letter is us."""
    found = re.findall(r"\w+\+*", re.sub("[\u00b5\u03bc]", "u", text.lower()))
    return [word for word in found if len(word) > 1]


def sections(address, title, body):
    """What the search finds of a page: [address, page's title, heading, excerpt, words] for each part with an id."""
    marks = [(0, 0, "", title)] + [(found.start(), found.end(), anchor[1], plain(found[3]))
                                   for found in HEADING.finditer(body)
                                   if (anchor := re.search(r'id="([^"]*)"', found[2]))]
    for (_, start, anchor, heading), (end, *_) in zip(marks, [*marks[1:], (len(body),)]):
        text = plain(body[start:end])
        words = sorted(set(search_words(text)))
        if words or anchor:
            yield [address + (f"#{anchor}" if anchor else ""), title, heading, text[:EXCERPT], " ".join(words)]


def index(entries):
    """A script, since a page that is opened from a disk may read no other file."""
    text = json.dumps(entries, ensure_ascii=False, separators=(",", ":"))
    return "const SECTIONS = " + text.replace("</", "<\\/") + ";\n"
