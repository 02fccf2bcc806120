#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
site_test.py [--browser]: packaging/site makes a site of which every link leads somewhere, every page and program is
there as it is in the tree, and the search finds functions by name. With --browser pages of each kind are looked at in
Chromium, on a wide screen and on a phone, light and dark: too wide, cut off, overlapping, small or pale texts.
"""
import html
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import urllib.parse

from project import ROOT, Check, skip

sys.path[:0] = [str(ROOT / "tests/cli"), str(ROOT / "packaging/site")]
import browser  # noqa: E402 pylint: disable=wrong-import-position
import figures  # noqa: E402 pylint: disable=wrong-import-position
import layout  # noqa: E402 pylint: disable=wrong-import-position
import markdown  # noqa: E402 pylint: disable=wrong-import-position
import source  # noqa: E402 pylint: disable=wrong-import-position

BUILD = ROOT / "packaging/site/build.py"
ID = re.compile(r'\bid="([^"]*)"')
LINK = re.compile(r'\b(?:href|src|action)="([^"]*)"')
# One of each kind.
LOOKED_AT = ("index.html", "manual.html", "hpt.1.html", "libhpt.3.html", "hpt.hpp.3.html", "hpt_gate_new.3.html",
             "hpt_bench.7.html", "hpt_cookbook.7.html", "figures.html", "headers.html", "NEWS.html",
             "examples-README.html", "examples-udp_pacer.c.html", "include-hpt-clock.h.html", "search.html")

# What the tree's pages have, and how it is shown.
SHOWN = (
    ("# A `b` of c\n", '<h1 id="a-b-of-c">A <code>b</code> of c</h1>'),
    ("a\nb <c> & **d**\n\ne", "<p>a\nb &lt;c&gt; &amp; <strong>d</strong></p>\n<p>e</p>"),
    ("<!-- no\nword -->\na", "<p>a</p>"),
    ("[a `b`](yes) [c](no)", '<p><a href="YES">a <code>b</code></a> c</p>'),
    ("`x y\nz` ``a`b``", "<p><code>x y z</code> <code>a`b</code></p>"),
    ("```sh\na <b>\n\nc\n```\nd", "<pre>a &lt;b&gt;\n\nc\n</pre>\n<p>d</p>"),
    ("- a\n  b\n- c\n  - d", "<ul>\n<li>a\nb</li>\n<li>c\n<ul>\n<li>d</li>\n</ul></li>\n</ul>"),
    ("1. a\n2. b", "<ol>\n<li>a</li>\n<li>b</li>\n</ol>"),
    ("| | a |\n|---|---|\n| `b|c` | d |", '<div class="wide"><table>\n<tr><td></td><th>a</th></tr>\n'
     "<tr><td><code>b|c</code></td><td>d</td></tr>\n</table></div>"),
)


def text_of(page):
    """A source file as the page shows it: without marks and numbers of lines."""
    inside = re.search(r'<pre class="source">(.*)</pre>', page, re.S)[1]
    return html.unescape(re.sub(r"<[^>]*>", "", re.sub(r'<a class="number".*?</a>', "", inside)))


class Site:
    """The site, made once: {name: text} of its pages."""

    def __init__(self, check, folder):
        self.check, self.folder = check, folder
        check.command("build.py OUT", [sys.executable, BUILD, folder])
        self.pages = {path.name: path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.html"))}
        self.ids = {name: set(ID.findall(text)) for name, text in self.pages.items()}

    def dead(self, name, link):
        """Why a link of the page leads nowhere; None: it does not."""
        if re.match(r"https:|data:,$", link):
            return None
        target, _, anchor = html.unescape(link).partition("#")
        target = urllib.parse.unquote(target) or name
        if not (self.folder / target).is_file():
            return f"{name}: no {target}"
        if anchor and urllib.parse.unquote(anchor) not in self.ids.get(target, ()):
            return f"{name}: no {anchor} in {target}"
        return None

    def check_links(self):
        dead = {why for name, text in self.pages.items() for link in LINK.findall(text)
                if (why := self.dead(name, link))}
        self.check.equal(f"no dead link in {len(self.pages)} pages", sorted(dead)[:40], [])
        for name, text in self.pages.items():
            if re.search(r'\b(?:src|stylesheet" href)="(?:https?:|//)', text):
                self.check.result(False, f"{name} loads nothing from elsewhere")
        twice = [name for name, text in self.pages.items() if len(set(ID.findall(text))) != len(ID.findall(text))
                 and not re.search(r"\.[1-8]\.html$", name)]
        self.check.equal("no id twice in a page", twice, [])

    def check_pages(self):
        pages = sorted(path.name for path in (ROOT / "man").glob("*.[1-8]"))
        missing = [name for name in pages if f"{name}.html" not in self.pages]
        self.check.equal("each page of the manual is there", missing, [])
        programs = [*(ROOT / "examples").glob("*.c"), *(ROOT / "include/hpt").rglob("*.h*"),
                    *(path for path in (ROOT / "examples/cookbook").iterdir() if path.suffix != ".md")]
        other = [path.name for path in programs
                 if text_of(self.pages["-".join(path.relative_to(ROOT).parts) + ".html"]) !=
                 path.read_text(encoding="utf-8")]
        self.check.equal(f"each of {len(programs)} programs and headers is shown as it is", other, [])

    def check_manual(self):
        """A link of each kind that the manual's pages have."""
        page = self.pages["hpt_now.3.html"]
        for title, link in (("another page", '<a class="Xr" href="hpt_ticks_to_ns.3.html">hpt_ticks_to_ns(3)</a>'),
                            ("a header", '<a class="In" href="include-hpt-hpt.h.html">hpt/hpt.h</a>'),
                            ("a declaration",
                             '<a href="include-hpt-clock.h.html#hpt_now"><code class="Fn">hpt_now</code></a>')):
            self.check.result(link in page, f"hpt_now(3) has a link to {title}", [link])
        self.check.result('<a href="hpt_clock_open.3.html"><code class="Fn">hpt_clock_close</code></a>' in
                          self.pages["libhpt.3.html"], "libhpt(3) has links to functions, by each name of a page")
        self.check.result('<a href="hpt_now.3.html"><code>hpt_now</code></a>' in self.pages["index.html"],
                          "README has links to functions")

    def check_traces(self):
        """Those who have a trace, or bounds of UTC for one, are led to the page on traces."""
        for name in ("index.html", "hpt.1.html", "hpt_cookbook.7.html", "hpt_timebase.7.html", "hpt_wall.7.html",
                     "hpt_wall_now.3.html"):
            self.check.result('href="hpt_traces.7.html"' in self.pages[name], f"{name} leads to hpt_traces(7)")

    def check_cookbook(self):
        """Programs as they are, with the first comment: a reader needs its command."""
        shown = [html.unescape(re.sub(r"<[^>]*>", "", found)).strip("\n") for found in
                 re.findall(r"<pre>(.*?)</pre>", self.pages["hpt_cookbook.7.html"], re.S)]
        programs = [path for path in (ROOT / "examples/cookbook").iterdir() if path.suffix != ".md"]
        missing = sorted(path.name for path in programs
                         if path.read_text(encoding="utf-8").split("\n", 1)[1].strip("\n") not in shown)
        self.check.equal(f"the cookbook shows {len(programs)} programs", missing, [])

    def check_figures(self):
        """The bars are in another order than the rows of their tables."""
        texts = re.findall(r"<dt>(.*?)</dt>", self.pages["figures.html"], re.S)
        leaning = [text for text in texts if re.search(r"\b(?:such|these|the same|in it|shorter|longer)\b", text)]
        self.check.equal(f"each of {len(texts)} bars says by itself what it is of", leaning, [])
        self.check.result(len(texts) > 9, "which are some")
        for title, unit, expected in (("late", " us", 2), ("late, us", "", 0)):
            row = f"| a sleep | 0.1{unit} | 80{unit} |"
            bars = figures.bars([f"| Sleep | {title} | CPU time, us |" if not unit else "| Sleep | ours | theirs |",
                                 "|---|---|---|", row]).count('class="bar ')
            self.check.equal(f"bars of {row}, by {title}", bars, expected)

    def check_search(self):
        """Each function that the library exports is found in the manual."""
        names = set(re.findall(r"^\t(hpt_\w+);", (ROOT / "lib/libhpt.map").read_text(encoding="utf-8"), re.M))
        text = (self.folder / "search-index.js").read_text(encoding="utf-8")
        entries = json.loads(text[text.index("["):text.rindex("]") + 1])
        described = {word for address, _, _, _, words in entries if address.endswith(".3.html#NAME")
                     for word in words.split()}
        self.check.equal(f"the search knows {len(names)} functions", sorted(names - described), [])
        dead = sorted({why for entry in entries if (why := self.dead("search.html", entry[0]))})
        self.check.equal("the search leads to what is there", dead, [])
        self.check.result(len(names) > 100, "which are many")
        for asked, least in (("c++", 20), ("us", 50)):
            found = sum(asked in words.split() for *_, words in entries)
            self.check.result(found >= least, f"the search knows {asked}", [str(found)])
        self.check.equal("search_words", layout.search_words("C++11, 2 \u00b5s or \u03bcs, hpt_now() i--"),
                         ["c++", "11", "us", "or", "us", "hpt_now"])


def check_markdown(check):
    for text, expected in SHOWN:
        check.equal(f"Markdown: {text!r}",
                    markdown.html(text, {"yes": "YES"}.get, lambda code: None), expected)
    for text, suffix in (('/* a\n * "b" */\nint c = \'"\'; // <d>\n', ".c"), ('x = "#"  # """ \n', ".py"),
                         ("let a: &'b str = \"//\";\n", ".rs")):
        check.equal(f"source: {text!r}", text_of(source.html(text, suffix)), text)


def check_refusals(check, scratch, made):
    """Nothing is overwritten but a site, and the sentence says why."""
    full = scratch / "full"
    full.mkdir()
    (full / "mine").write_text("mine", encoding="ascii")
    for words, sentence in (([full], "is not empty"), (["--force", full], "is no site"),
                            (["--force", full / "mine"], "is no site"), ([], "usage: "), (["--what"], "usage: "),
                            ([full, full], "usage: ")):
        done = check.run([sys.executable, BUILD, *words])
        check.result(done.returncode == 1 and sentence in done.stdout and "Traceback" not in done.stdout,
                     f"refused: {' '.join(str(word).replace(str(scratch), '') for word in words)}", [done.stdout])
    check.equal("what was there is there", (full / "mine").read_text(encoding="ascii"), "mine")
    done = check.run([sys.executable, BUILD, scratch / "new"], PATH="/nonexistent")
    check.result(done.returncode == 1 and "mandoc is missing" in done.stdout and not (scratch / "new").exists(),
                 "refused without mandoc", [done.stdout])
    before = {path.name: path.read_bytes() for path in made.iterdir()}
    (made / "old.html").write_text("", encoding="ascii")
    check.command("build.py --force OUT", [sys.executable, BUILD, "--force", made])
    check.equal("the same bytes again", {path.name: path.read_bytes() for path in made.iterdir()}, before)


# ---- In a browser -------------------------------------------------------------------------------------

def standing_alone(folder, name, more=""):
    """A page with the stylesheet and the scripts in it, which says its name and looks at itself."""
    def inline(found):
        return f"<script>{(folder / found[1]).read_text(encoding='utf-8')}</script>"

    text = (folder / name).read_text(encoding="utf-8")
    style = (folder / "style.css").read_text(encoding="utf-8")
    text = text.replace('<link rel="stylesheet" href="style.css">', f"<style>{style}{more}</style>")
    text = re.sub(r'<script src="([\w.-]+)"></script>', inline, text)
    # One script: messages of several frames come in any order, but not within a script.
    return (f"{text}<script>console.log('hpt-page {name} ' + getComputedStyle(document.body).backgroundColor);"
            f"{browser.CHECKER.read_text(encoding='utf-8')}</script>")


def look(scratch, pages, width, dark):
    """{name: (background, messages)} of pages, which one browser shows in frames of that width."""
    frames = "".join(f'<iframe srcdoc="{html.escape(page)}" width="{width}" height="900"></iframe>' for page in pages)
    (scratch / "frames.html").write_text(f'<!DOCTYPE html><title>x</title><link rel="icon" href="data:,">'
                                         f'<meta name="color-scheme" content="light dark">{frames}',
                                         encoding="utf-8")
    scheme = browser.DARK if dark else browser.LIGHT
    done = subprocess.run([browser.find(), *browser.FLAGS, f"--user-data-dir={scratch}/profile", "--dump-dom",
                           f"--blink-settings=preferredColorScheme={scheme}", "--window-size=1400,1000",
                           (scratch / "frames.html").as_uri()], check=False, stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, encoding="utf-8", errors="replace", timeout=1200,
                          env=dict(os.environ, HOME=str(scratch)))
    found, messages = {}, None
    for line in browser.CONSOLE.findall(done.stderr):
        page = re.match(r'"hpt-page (\S+) rgb\((\d+),', line)
        if page:
            messages = []
            found[page[1]] = (int(page[2]), messages)
        elif messages is not None:
            messages.append(line)
    return found


def check_looks(check, scratch, folder):
    """Each page in both modes, on both screens: one message, that it was looked at and has no fault."""
    pages = [standing_alone(folder, name) for name in LOOKED_AT]
    for width, _ in browser.SIZES:
        for dark in (False, True):
            title = f"{width} px, {'dark' if dark else 'light'}"
            found = look(scratch, pages, width, dark)
            check.equal(f"{title}: {len(LOOKED_AT)} pages are looked at", sorted(found), sorted(LOOKED_AT))
            for name, (back, messages) in found.items():
                fine = rf'"hpt-checked [1-9]\d* lines in {width} px, 0 faults"'
                good = len(messages) == 1 and re.match(fine, messages[0]) and (back < 60) == dark
                check.result(good, f"{title}: {name}", () if good else [f"background {back}", *messages])


# What each bar is wide, its line, and what it should have of it.
BARS = """<script>for (const bar of document.querySelectorAll('.bar'))
console.log(['hpt-bar', bar.offsetWidth, bar.parentElement.offsetWidth, bar.style.width].join(' '));</script>"""


def check_bars(check, scratch, folder):
    """Each bar is shown, and nothing shortens it: lengths are to each other as their figures are."""
    n = (folder / "figures.html").read_text(encoding="utf-8").count('<span class="bar ')
    for width, _ in browser.SIZES:
        messages = look(scratch, [standing_alone(folder, "figures.html") + BARS], width, False)["figures.html"][1]
        found = [[float(number) for number in re.findall(r"[\d.]+", line)[:3]] for line in messages
                 if "hpt-bar" in line]
        wrong = [bar for bar in found if abs(bar[0] - max(bar[1] * bar[2] / 100, 4)) > 1]
        check.result(n and len(found) == n and not wrong, f"{width} px: {n} bars have their lengths",
                     [f"{len(found)} bars are shown", *wrong])


def check_faults(check, scratch, folder):
    """The look itself, at faults that are put in."""
    for style, fault in (("main{width:1500px}", "cut off"), ("main p{color:#999}", "contrast"),
                         ("main p{font-size:8px}", "small")):
        found = look(scratch, [standing_alone(folder, "index.html", style)], 390, False)
        messages = found.get("index.html", (0, []))[1]
        check.result(any(line.startswith(f'"hpt-fault {fault}') for line in messages), f"a fault is seen: {fault}",
                     messages)


def check_found(check, folder):
    """The search, by the browser's own script: what is asked for is the first result."""
    for asked, expected in (("hpt_gate_wait_until_ns", "hpt_gate_new.3.html"), ("hpt_bench", "hpt_bench.7.html"),
                            ("kvm-clock", None), ("C%2B%2B", "hpt.hpp.3.html"), ("%C2%B5s", None), ("%CE%BCs", None),
                            ("nosuchwordatall", "")):
        done = check.run([browser.find(), *browser.FLAGS, f"--user-data-dir={folder}/profile", "--dump-dom",
                          (folder / "site/search.html").as_uri() + f"?q={asked}"])
        results = re.findall(r'<li><a href="([^"#]*)', done.stdout)
        good = bool(results) if expected is None else (results or [""])[0] == expected
        check.result(good, f"the search for {asked} finds {expected if expected is not None else 'something'}",
                     [str(results[:5]), *done.stdout.splitlines()[-20:]])


def check_in_browser(check, scratch):
    site = Site(check, scratch / "site")
    check_looks(check, scratch, site.folder)
    check_bars(check, scratch, site.folder)
    check_faults(check, scratch, site.folder)
    check_found(check, scratch)


def main():
    if not shutil.which("mandoc"):
        skip("no mandoc")
    check = Check(HOME=os.environ.get("HOME", "/"))
    with tempfile.TemporaryDirectory(prefix="hpt-site-", ignore_cleanup_errors=True) as folder:
        scratch = pathlib.Path(folder)
        if "--browser" in sys.argv[1:]:
            try:
                browser.find()
            except unittest.SkipTest as why:
                skip(str(why))
            check_in_browser(check, scratch)
        else:
            site = Site(check, scratch / "site")
            for part in (site.check_links, site.check_pages, site.check_manual, site.check_traces, site.check_cookbook,
                         site.check_figures, site.check_search):
                part()
            check_markdown(check)
            check_refusals(check, scratch, site.folder)
        check.finish()


main()
