# SPDX-License-Identifier: MIT
"""
A source file as HTML: comments, strings and keywords are marked, each line has an id L1, L2 ..., and what a C header
declares has its own name for an id.
"""
import html as escapes
import re

C_WORDS = """break case char const continue default do double else enum extern float for goto if inline int int64_t
long return short signed sizeof static struct switch typedef uint32_t uint64_t uint8_t union unsigned void volatile
while auto bool class explicit namespace private public template this throw using virtual"""
PYTHON_WORDS = """and as assert async await break class continue def del elif else except finally for from if import in
is lambda not or pass raise return try while with yield True False None"""
OTHER_WORDS = """fn let mut pub use impl struct enum match if else while for loop return async await move func go defer
package import var const type new class static final void int long local function then end do public throws try catch"""

C_TEXT = r'(?P<comment>/\*.*?\*/|//[^\n]*)|(?P<string>"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\')'
PYTHON_TEXT = r'(?P<comment>\#[^\n]*)|(?P<string>"""(?:.|\n)*?"""|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\')'
# A quote in Rust may begin a lifetime.
OTHER_TEXT = r'(?P<comment>/\*.*?\*/|//[^\n]*|--[^\n]*)|(?P<string>"(?:\\.|[^"\\])*")'

KINDS = {".c": (C_TEXT, C_WORDS), ".h": (C_TEXT, C_WORDS), ".hpp": (C_TEXT, C_WORDS), ".cpp": (C_TEXT, C_WORDS),
         ".cc": (C_TEXT, C_WORDS), ".py": (PYTHON_TEXT, PYTHON_WORDS)}

# A function of the interface, a constant, a macro, a struct: the name, in a line of its own declaration.
DECLARED = re.compile(r"^(?:HPT_API\w* [^(]*?\b(\w+)\(|\t(HPT_\w+) *(?:=|,|$)|#define (HPT_\w+)|struct (hpt_\w+) \{"
                      r"|enum \{ (HPT_\w+) =|typedef [^;]*\b(hpt_\w+);)")


def pattern(suffix):
    text, words = KINDS.get(suffix, (OTHER_TEXT, OTHER_WORDS))
    return re.compile(text + r"|(?P<word>\b(?:" + "|".join(words.split()) + r")\b)", re.S)


def mark(text, suffix):
    """Spans never go over the end of a line."""
    done, at = [], 0
    for part in pattern(suffix).finditer(text):
        done.append(escapes.escape(text[at:part.start()], quote=False))
        for number, line in enumerate(part[0].split("\n")):
            inside = escapes.escape(line, quote=False)
            done.append("\n" * (number > 0) + (f'<span class="{part.lastgroup}">{inside}</span>' if line else ""))
        at = part.end()
    return "".join(done) + escapes.escape(text[at:], quote=False)


def declared(line):
    found = DECLARED.match(line)
    return next(filter(None, found.groups()), None) if found else None


def names(text):
    """What a header declares."""
    return {name for name in map(declared, text.split("\n")) if name}


def html(text, suffix):
    """Each line has a number that is a link to itself."""
    lines, seen = [], set()
    for number, (plain, line) in enumerate(zip(text.split("\n"), mark(text, suffix).split("\n")), 1):
        name = declared(plain) if suffix == ".h" else None
        own = f' id="{name}"' if name and name not in seen else ""
        seen.add(name)
        link = f'<a class="number" id="L{number}" href="#L{number}">{number}</a>'
        lines.append(f'<span class="line"{own}>{link}{line}</span>')
    if not text.split("\n")[-1]:
        lines.pop()
    return '<pre class="source">' + "\n".join(lines) + "\n</pre>"
