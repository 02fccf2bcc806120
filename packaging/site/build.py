#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
build.py [--force] OUT: the site of this tree in the new folder OUT: README and what it links to, the manual, the
cookbook, examples, headers and figures as plain files with one stylesheet, and a search that needs no server.

With --force OUT may exist if this has made it: it is made again. Needs mandoc.
"""
import pathlib
import re
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
import figures  # noqa: E402
import layout  # noqa: E402
import manual  # noqa: E402
import markdown  # noqa: E402
import source  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
ASSETS = ("style.css", "search.js")
SOURCES = (".c", ".h", ".hpp", ".cpp", ".py", ".rs", ".go", ".java", ".js", ".lua")
# What figures.html takes tables of.
WITH_FIGURES = ("README.md", "bindings/README.md", "bindings/python/README.md", "bindings/rust/README.md",
                "examples/README.md")
PLAIN = ("NEWS", "LICENSE")


def stop(sentence):
    sys.exit(f"site: {sentence}")


class Site:
    """Pages by their path in the tree; those that are linked to are made too."""

    def __init__(self, out):
        self.out, self.manual = out, manual.Manual(ROOT / "man")
        self.version = re.search(r'HPT_VERSION_STRING "(.*)"',
                                 (ROOT / "include/hpt/version.h").read_text(encoding="utf-8"))[1]
        self.wanted, self.made, self.words, self.declared = [], set(), [], {}
        for path in sorted((ROOT / "include/hpt").glob("*.h")):
            address = self.address(path)
            for name in source.names(path.read_text(encoding="utf-8")):
                self.declared.setdefault(name, f"{address}#{name}")

    # ---- Addresses ------------------------------------------------------------------------------------

    def address(self, path):
        """The page of a file of the tree, which is then made; None: there is no such page."""
        if not path.resolve().is_relative_to(ROOT):
            return None
        path = path.resolve().relative_to(ROOT)
        if (ROOT / path).is_dir():
            path = path / "README.md"
        if not (ROOT / path).is_file():
            return None
        if path.parent.name == "man" and path.name in self.manual.pages:
            return f"{path.name}.html"
        if path.suffix not in (*SOURCES, ".md") and path.name not in PLAIN:
            return None
        if path not in self.wanted:
            self.wanted.append(path)
        return "index.html" if str(path) == "README.md" else \
            re.sub(r"\.md$", "", "-".join(path.parts)) + ".html"

    def of_path(self, name, folder=ROOT):
        return self.address(folder / name) if "/" in name or "." in name else None

    def of_link(self, target, folder):
        """The target of a link in Markdown."""
        if re.match(r"https?:", target) or target.startswith("#"):
            return target
        name, mark, anchor = target.partition("#")
        address = self.address(folder / name)
        return address and address + mark + anchor

    def of_code(self, text, folder):
        """A page of the manual, a file beside the page, or one of the tree."""
        found = re.fullmatch(r"([\w.-]+)\((\d)\)", text)
        if found:
            return self.manual.address(found[1], found[2])
        function = re.fullmatch(r"(hpt_\w+)(?:\(\))?", text)
        if function:
            return self.manual.of_function(function[1]) or self.declared.get(function[1])
        return (self.of_path(text, folder) or self.of_path(text)) if re.fullmatch(r"[\w./-]+", text) else None

    # ---- Pages ----------------------------------------------------------------------------------------

    def write(self, address, title, body, kind=""):
        if address in self.made:
            stop(f"two pages would be {address}")
        self.made.add(address)
        (self.out / address).write_text(layout.page(title, body, self.version, kind), encoding="utf-8")
        if kind != "code":
            self.words += layout.sections(address, title, body)

    def markdown(self, path, text):
        folder = (ROOT / path).parent
        return markdown.html(text, lambda target: self.of_link(target, folder),
                             lambda code: self.of_code(code, folder))

    def write_file(self, path):
        text = (ROOT / path).read_text(encoding="utf-8")
        address = self.address(ROOT / path)
        if path.suffix == ".md":
            title = re.search(r"^# (.*)$", text, re.M)[1]
            self.write(address, title, self.markdown(path, text))
        elif path.name in PLAIN:
            self.write(address, str(path), f'<h1 id="top">{path}</h1>\n{source.html(text, ".txt")}')
        else:
            self.write(address, str(path), f'<h1 id="top">{path}</h1>\n{source.html(text, path.suffix)}', "code")
            self.words.append([address, str(path), str(path), "", " ".join(sorted(source.names(text))).lower()])

    def write_manual(self):
        for name in sorted(self.manual.pages):
            links = manual.Links(self.manual, name, self.declared, self.of_path)
            body = links.html(self.manual.fragment(name))
            self.write(f"{name}.html", f"{name[:-2]}({name[-1]})", body, "manual")
        self.write("manual.html", "Manual", manual.contents(self.manual, lambda name: f"{name}.html"))

    def write_headers(self):
        rows = []
        for path in sorted((*(ROOT / "include/hpt").glob("*.h"), *(ROOT / "include/hpt").rglob("*.hpp"))):
            name = path.relative_to(ROOT / "include")
            rows.append(f'<li><a href="{self.address(path)}"><code>&lt;{name}&gt;</code></a></li>')
        self.write("headers.html", "Headers", '<h1 id="headers">Headers</h1>\n<ul>' + "\n".join(rows) + "</ul>")

    def write_figures(self):
        pages = []
        for name in WITH_FIGURES:
            text = (ROOT / name).read_text(encoding="utf-8")
            pages.append((re.search(r"^# (.*)$", text, re.M)[1], self.address(ROOT / name), text, pathlib.Path(name)))
        self.write("figures.html", "Figures", figures.html(pages, self.markdown))

    def write_search(self):
        body = ('<h1 id="search">Search</h1>\n<p id="count">This page needs JavaScript.</p>\n<ol id="results"></ol>\n'
                '<script src="search-index.js"></script>\n<script src="search.js"></script>')
        self.write("search.html", "Search", body)
        (self.out / "search-index.js").write_text(layout.index(self.words), encoding="utf-8")

    def make(self):
        for path in (ROOT / "README.md", ROOT / "NEWS", *sorted((ROOT / "examples").glob("*.c")),
                     *sorted((ROOT / "examples/cookbook").iterdir())):
            self.address(path)
        self.write_manual()
        self.write_headers()
        self.write_figures()
        done = 0
        while done < len(self.wanted):
            self.write_file(self.wanted[done])
            done += 1
        self.write_search()
        for name in ASSETS:
            shutil.copyfile(HERE / name, self.out / name)


def arguments():
    words = [word for word in sys.argv[1:] if word != "--force"]
    if len(words) != 1 or words[0].startswith("-") or len(sys.argv) > 3:
        sys.exit("usage: build.py [--force] OUT")
    return pathlib.Path(words[0]).resolve(), len(sys.argv) == 3


def main():
    out, is_forced = arguments()
    if not shutil.which("mandoc"):
        stop("mandoc is missing (Debian package: mandoc).")
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        if not is_forced or not (out / "search-index.js").is_file():
            stop(f"{out} is there, and is no site." if is_forced else f"{out} is not empty.")
        shutil.rmtree(out)
    out.mkdir(parents=True, exist_ok=True)
    (out / "search-index.js").touch()  # by which --force knows a site, also one that was left unfinished
    try:
        Site(out).make()
    except subprocess.CalledProcessError as error:
        stop(f"{' '.join(map(str, error.cmd))}: exit {error.returncode}")


main()
