# SPDX-License-Identifier: MIT
"""The figures of the README files: each table with figures in it, and bars for rows whose two columns have one unit."""
import html as escapes
import math
import re

import markdown

# A number and its unit. What stands in brackets, as quantiles do, is in the table alone.
FIGURE = re.compile(r"^(-?\d[\d ]*(?:\.\d+)?)\s*(ns|us|ms|%)?$")
UNIT_OF_COLUMN = re.compile(r", (ns|us|ms|%)$")
NUMBERS_LEAST = 4
# The shortest bar would have a fiftieth of the longest one's length: some ten pixels.
APART = 50
# Of a line; its figure stands in the rest.
LONGEST_PER_CENT = 60


def figure(cell):
    """(number, unit) of a cell; None: it is no figure."""
    found = FIGURE.match(re.sub(r"\(.*?\)|\[.*?\]", "", cell).strip())
    return (float(found[1].replace(" ", "")), found[2] or "") if found else None


def tables(text):
    """(the heading before it, its rows) of each table with figures."""
    heading, rows = "", []
    for line in [*text.split("\n"), ""]:
        if markdown.is_row(line):
            rows.append(line)
            continue
        if rows and sum(len(re.findall(r"\d+\.\d+|\d+ (?:ns|us|ms|%)", row)) for row in rows) >= NUMBERS_LEAST:
            yield heading, rows
        rows = []
        heading = line.lstrip("# ") if line.startswith("#") else heading


def width(number, least, most):
    """Per cent of the line; by logarithms where the figures are far apart."""
    if most < APART * least:
        return LONGEST_PER_CENT * number / most
    return LONGEST_PER_CENT * (0.1 + 0.9 * math.log(number / least) / math.log(most / least))


def bars(rows):
    """HTML for the rows of a table that compare two figures of one unit, both above 0."""
    cells = [markdown.cells(row) for row in rows]
    # A column with a unit of its own is another quantity than the one beside it.
    if any(UNIT_OF_COLUMN.search(title) for title in cells[0][1:]):
        return ""
    pairs = [(row[0], figure(row[1]), figure(row[2])) for row in cells[2:] if len(row) == 3]
    pairs = [pair for pair in pairs if pair[1] and pair[2] and pair[1][1] == pair[2][1] and pair[1][0] > 0 < pair[2][0]]
    done = []
    for unit in sorted({pair[1][1] for pair in pairs}):
        chosen = [pair for pair in pairs if pair[1][1] == unit]
        numbers = [number for pair in chosen for number in (pair[1][0], pair[2][0])]
        title = {"": "Ratios", "%": "Per cent"}.get(unit, f"In {unit}")
        title += ", each bar by its logarithm" if max(numbers) >= APART * min(numbers) else ""
        done.append(f'<h3>{title}</h3>\n<dl class="bars">')
        for what, own, other in chosen:
            done.append(f"<dt>{markdown.html(what, lambda target: None, lambda code: None)}</dt>")
            for kind, (number, _), column in (("own", own, cells[0][1]), ("other", other, cells[0][2])):
                per_cent = width(number, min(numbers), max(numbers))
                done.append(f'<dd><span class="bar {kind}" style="width:{per_cent:.1f}%"></span>'
                            f'<span class="value">{number:g} {unit} {escapes.escape(column)}</span></dd>')
        done.append("</dl>")
    return "\n".join(done)


def html(pages, linker):
    """pages: (title, address, text, path) of each README."""
    done = ['<h1 id="figures">Figures</h1>', "<p>Tables of the README files, as they stand there with their machines "
            'and conditions. <a href="hpt_bench.7.html">hpt_bench(7)</a> has all figures of reads and sleeps, and says '
            "how they are measured; <code>hpt bench --report</code> makes a page of your own machine's.</p>"]
    for title, address, text, path in pages:
        for heading, rows in tables(text):
            # A heading may have several tables.
            done.append(f'<h2 id="table-{len(done)}"><a href="{address}'
                        f'#{markdown.anchor(heading)}">{escapes.escape(title)}: {escapes.escape(heading)}</a></h2>')
            done.append(bars(rows))
            done.append(linker(path, "\n".join(rows)))
    return "\n".join(done)
