# SPDX-License-Identifier: MIT
"""The manual by mandoc, with links to other pages, to the headers that declare a name, and to the examples."""
import html as escapes
import re
import subprocess

ID = re.compile(r'\bid="([^"]*)"')
NAME_LINE = re.compile(r"^\.Nd (.*)$", re.M)


class Manual:
    """All pages of a folder: what each is called, and which page has a name."""

    def __init__(self, folder, mandoc="mandoc"):
        self.mandoc, self.pages, self.home = mandoc, {}, {}
        for path in sorted(folder.glob("*.[1-8]")):
            text = path.read_text(encoding="utf-8")
            self.pages[path.name] = path
            names = re.search(r"^\.Sh NAME\n(.*?)^\.Nd ", text, re.M | re.S)[1]
            for name in re.findall(r"^\.Nm ([\w.\- ]+?)(?: ,)?$", names, re.M):
                self.home[f"{name.replace(' ', '-')}.{path.suffix[1:]}"] = path.name
            self.home[path.name] = path.name

    def summary(self, name):
        return NAME_LINE.search(self.pages[name].read_text(encoding="utf-8"))[1]

    def address(self, name, section):
        """Of the page that has the name; None: another project's."""
        page = self.home.get(f"{name}.{section}")
        return page and f"{page}.html"

    def of_function(self, name):
        return self.address(name, "3") if name.startswith("hpt_") else None

    def fragment(self, name):
        """mandoc's HTML, without its first and last line."""
        done = subprocess.run([self.mandoc, "-Thtml", "-Ofragment,man=%N.%S.html", self.pages[name]], check=True,
                              stdout=subprocess.PIPE, encoding="utf-8").stdout
        done = re.sub(r'<table class="(?:head|foot)">.*?</table>', "", done, flags=re.S)
        # Of variables in a synopsis: wider than a phone.
        return done.replace(' style="white-space: nowrap;"', "").strip()


class Links:
    """Puts the links into one page's HTML. declared: {name: address} of what headers declare."""

    def __init__(self, manual, name, declared, path_address):
        self.ids = {}
        self.manual, self.own, self.declared, self.path_address = manual, f"{name}.html", declared, path_address

    def html(self, text):
        # mandoc writes a hyphen of a heading as such into its id, and as _ into a link to it.
        self.ids = {found.replace("-", "_"): found for found in ID.findall(text)}
        text = re.sub(r'<a class="Xr" href="[^"]*">([^<(]+)\((\d)\w*\)</a>', self.reference, text)
        text = re.sub(r'<a class="Sx" href="#([^"]*)">(.*?)</a>', self.section, text, flags=re.S)
        text = re.sub(r'&lt;<a class="In">([^<]+)</a>&gt;', self.header, text)
        before, mark, synopsis = text.partition('id="SYNOPSIS"')
        synopsis, end, rest = synopsis.partition("</section>")
        synopsis = re.sub(r'<code class="Fn">(\w+)</code>', self.declaration, synopsis)
        text = before + mark + synopsis + end + self.outside_links(rest)
        return re.sub(r'<span class="Pa">([\w./-]+)</span>', self.path, text)

    def reference(self, found):
        address = self.manual.address(found[1].replace(" ", "-"), found[2])
        words = f"{found[1]}({found[2]})"
        return f'<a class="Xr" href="{address}">{words}</a>' if address else f'<span class="Xr">{words}</span>'

    def section(self, found):
        """A section of this page, or the words alone: the page that has it is named beside them."""
        own = self.ids.get(found[1].replace("-", "_"))
        if own:
            return f'<a class="Sx" href="#{own}">{found[2]}</a>'
        return f'<span class="Sx">{found[2]}</span>'

    def header(self, found):
        address = self.path_address(f"include/{found[1]}")
        return f'&lt;<a class="In" href="{address}">{found[1]}</a>&gt;' if address else f"&lt;{found[1]}&gt;"

    def declaration(self, found):
        """A function in the synopsis, where the header declares it."""
        address = self.declared.get(found[1])
        return f'<a href="{address}">{found[0]}</a>' if address else found[0]

    def outside_links(self, text):
        """Functions of other pages, and constants; none in what is a link already."""
        parts = re.split(r"(<a\b.*?</a>)", text, flags=re.S)
        parts[::2] = [re.sub(r'<code class="(?:Fn|Dv|Va|Vt)">([\w ]+)</code>|<var class="Vt">([\w ]+)</var>', self.name,
                             part) for part in parts[::2]]
        return "".join(parts)

    def name(self, found):
        name = (found[1] or found[2]).split()[-1]
        page = self.manual.of_function(name)
        address = page if page and page != self.own else self.declared.get(name) if not page else None
        return f'<a href="{address}">{found[0]}</a>' if address else found[0]

    def path(self, found):
        address = self.path_address(found[1])
        return f'<a href="{address}">{found[0]}</a>' if address else found[0]


def contents(manual, address_of):
    """The page with the list of pages."""
    titles = {"1": "Commands", "3": "Functions", "7": "The rest"}
    done = ['<h1 id="manual">Manual</h1>']
    for section, title in titles.items():
        done.append(f'<h2 id="section-{section}">{title}</h2>\n<dl class="pages">')
        for name in sorted(manual.pages):
            if name.endswith(f".{section}"):
                done.append(f'<dt><a href="{address_of(name)}">{name[:-2]}({section})</a></dt>'
                            f"<dd>{escapes.escape(manual.summary(name), quote=False)}</dd>")
        done.append("</dl>")
    return "\n".join(done)
