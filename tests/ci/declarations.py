# SPDX-License-Identifier: MIT
"""What a C file of this tree declares and defines outside functions. A reader for our own style, not for all of C."""
import re

# Comments, literals and directives, in which braces and semicolons mean nothing.
NOISE = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|^[ \t]*#(?:\\\n|[^\n])*',
                   re.S | re.M)
# Words with an argument list that declare nothing themselves.
DECORATION = re.compile(r'\b(?:__attribute__|_Alignas|_Atomic|__asm__|__typeof__|typeof)\s*\(')
CAPITALS = re.compile(r'\b[A-Z][A-Z0-9_]*\b(?!\s*[({])')
AGGREGATE = re.compile(r'\b(?:struct|union|enum)\b\s*\w*\s*(?:\{[^{}]*\})?')
# A line of an assembler statement that is a label alone.
LABEL = re.compile(r'"([A-Za-z_]\w*):\\n"')
QUALIFIER = re.compile(r'\b(?:static|extern|const|volatile|inline|_Thread_local|_Noreturn)\b')


class Declaration:
    """One name: is it a function, a definition (else a declaration only), static, inline, const; its type's tag."""

    def __init__(self, name, line, text, is_function, is_definition):
        words = set(re.findall(r'\w+', text.split('(')[0]))
        tag = re.search(r'\b(?:struct|union)\s+(\w+)', text)
        self.name, self.line = name, line
        self.is_function, self.is_definition = is_function, is_definition
        self.is_static, self.is_inline, self.is_const = 'static' in words, 'inline' in words, 'const' in words
        self.tag = tag.group(1) if tag else None


def blank(match):
    return re.sub(r'[^\n]', ' ', match.group())


def close_of(text, opening):
    """Where the bracket that opens at this place closes."""
    depth = 0
    for at in range(opening, len(text)):
        depth += (text[at] in '({[') - (text[at] in ')}]')
        if depth == 0:
            return at
    raise ValueError('a bracket is not closed')


def without_decoration(text):
    while True:
        found = DECORATION.search(text)
        if not found:
            return text
        end = close_of(text, found.end() - 1) + 1
        text = text[:found.start()] + re.sub(r'[^\n]', ' ', text[found.start():end]) + text[end:]


def is_function_head(head):
    """Of what stands before a brace: does it end with a list of parameters?"""
    return '=' not in head and bool(re.search(r'\)[\sA-Z_0-9]*$', head))


def statements(text):
    """(offset, statement, has a function's body); what stands between braces is left out."""
    start = at = 0
    kept = ''
    while at < len(text):
        char = text[at]
        if char == '{':
            end = close_of(text, at)
            if is_function_head(kept):
                yield start, kept, True
                start, kept = end + 1, ''
            else:
                kept += '{' + re.sub(r'[^\n]', ' ', text[at + 1:end]) + '}'
            at = end
        elif char == '(':
            end = close_of(text, at)
            kept += text[at:end + 1]
            at = end
        elif char == ';':
            yield start, kept, False
            start, kept = at + 1, ''
        else:
            kept += char
        at += 1


def objects(head):
    """(offset, name, has a value) of each object in a declaration of data."""
    head = AGGREGATE.sub(blank, CAPITALS.sub(blank, QUALIFIER.sub(blank, head)))
    offset = 0
    for part in head.split(','):
        before = part.split('=')[0]
        names = list(re.finditer(r'\b[A-Za-z_]\w*', re.sub(r'\[[^\]]*\]', blank, before)))
        if names:
            yield offset + names[-1].start(), names[-1].group(), '=' in part
        offset += len(part) + 1


def declarations(text):
    for label in LABEL.finditer(text):
        yield Declaration(label.group(1), text.count('\n', 0, label.start()) + 1, '', False, True)
    clean = without_decoration(NOISE.sub(blank, text))
    for start, head, has_body in statements(clean):
        if re.match(r'\s*(typedef|_Static_assert|static_assert)\b', head) or not head.strip():
            continue
        line_of = lambda offset: clean.count('\n', 0, start + offset) + 1
        function = re.match(r'[^(={]*?\b(\w+)\s*\(', head)
        if has_body or (function and '=' not in head):
            yield Declaration(function.group(1), line_of(function.start(1)), head, True, has_body)
            continue
        for offset, name, has_value in objects(head):
            is_definition = has_value or not re.search(r'\bextern\b', head)
            yield Declaration(name, line_of(offset), head, False, is_definition)


def types(text):
    """Tags of the structs and unions that the text defines."""
    return set(re.findall(r'\b(?:struct|union)\s+(\w+)\s*\{', without_decoration(NOISE.sub(blank, text))))
