# SPDX-License-Identifier: MIT
"""Renders pages and plots in a real browser, without a screen.

    page = browser.render(path, dark=False, size=(1280, 2000))
    browser.assert_fine(case, page)         # an empty console, no faults, and a page that is blank nowhere
    browser.assert_both_fine(case, path)    # in light and in dark mode, which must be darker
    browser.assert_fine_everywhere(case, path)  # both, on a wide screen and on a phone

render() gives a Page: width, height, rows (one bytes object a line of the picture, three bytes a pixel: red, green,
blue), console (messages of the page's scripts, and the browser's about them) and faults: texts that overlap, are cut
off, too small or too pale, headings without words, and a page that is wider than the screen, by browser.js, which runs
in a copy of the page. It raises unittest.SkipTest where there is no Chromium. Only Python's own library is used.

As a program it tests itself.
"""
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib
from typing import NamedTuple

NAMES = 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'

# Seconds; a render takes 2 on an idle machine.
LIMIT = 180

# blink::mojom::PreferredColorScheme.
DARK, LIGHT = 0, 1

# Switch off the browser's own network requests and messages: only the page's are looked for.
FLAGS = ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking',
         '--disable-component-update', '--disable-sync', '--disable-default-apps', '--disable-dev-shm-usage',
         '--hide-scrollbars', '--force-device-scale-factor=1', '--enable-logging=stderr']

# "[pid:tid:date:INFO:CONSOLE(3)] "text", source: file:///page (3)". Missing files do not appear there.
CONSOLE = re.compile(r'^\[.*?:(?:INFO|WARNING|ERROR):CONSOLE.*?\] (.*)$', re.MULTILINE)


class Page(NamedTuple):
    width: int
    height: int
    rows: list
    console: list
    faults: list


CHECKER = pathlib.Path(__file__).with_name('browser.js')

# "hpt-fault overlap: one text | another", source: file:///page (3)
FAULT = re.compile(r'^"hpt-fault (.*)", source: ')
CHECKED = re.compile(r'^"hpt-checked ([0-9]+) lines in ([0-9]+) px, ([0-9]+) faults"')

# The browser's own window is never narrower: a page within a frame is.
NARROWEST = 500


def find():
    """The browser's path; skips the test where there is none."""
    for name in NAMES:
        if path := shutil.which(name):
            return path
    raise unittest.SkipTest('no Chromium')


def predict(kind, left, up, corner):
    """Predict a byte from its neighbours: the filters of PNG, section 9 of its specification."""
    if kind == 4: # Paeth's
        guess = left + up - corner
        near = abs(guess - left), abs(guess - up), abs(guess - corner)
        return left if near[0] <= min(near[1:]) else up if near[1] <= near[2] else corner
    return (0, left, up, (left + up) // 2)[kind]


def unfilter(kind, line, before, step):
    """Undo the filter of a line, given the line before it; in place."""
    if kind > 4:
        raise ValueError(f'no filter of PNG: {kind}')
    if kind == 2: # the usual one of pictures with lines and text: worth a way of its own
        return bytes((a + b) & 255 for a, b in zip(line, before))
    if kind:
        for i, value in enumerate(line):
            left, corner = (line[i - step], before[i - step]) if i >= step else (0, 0)
            line[i] = (value + predict(kind, left, before[i], corner)) & 255
    return bytes(line)


def chunks(data):
    at = 8
    while at < len(data):
        size, kind = struct.unpack('>I4s', data[at:at + 8])
        yield kind, data[at + 8:at + 8 + size]
        at += size + 12


def decode(data):
    """Width, height and rows of RGB of a PNG of 8 bits a colour, with or without transparency, not interlaced."""
    if data[:8] != b'\x89PNG\r\n\x1a\n':
        raise ValueError('no PNG')
    parts = list(chunks(data))
    width, height, depth, colours, _, _, interlaced = struct.unpack('>IIBBBBB', parts[0][1])
    if (depth, interlaced) != (8, 0) or colours not in (2, 6):
        raise ValueError(f'a PNG of kind {depth}, {colours}, {interlaced}')
    step = 3 if colours == 2 else 4
    raw = zlib.decompress(b''.join(body for kind, body in parts if kind == b'IDAT'))
    rows, before = [], bytes(width * step)
    for at in range(0, height * (width * step + 1), width * step + 1):
        before = unfilter(raw[at], bytearray(raw[at + 1:at + 1 + width * step]), before, step)
        rows.append(before)
    if step == 4:
        for i, row in enumerate(rows):
            rgb = bytearray(width * 3)
            rgb[0::3], rgb[1::3], rgb[2::3] = row[0::4], row[1::4], row[2::4]
            rows[i] = bytes(rgb)
    return width, height, rows


def write_copy(path, folder, size):
    """Writes a copy of the page that checks itself, in a frame if the screen is narrow. Returns its address."""
    copy, frame = pathlib.Path(folder, 'page.html'), pathlib.Path(folder, 'frame.html')
    page = pathlib.Path(path).read_text(encoding='utf-8')
    copy.write_text(f'{page}<script>\n{CHECKER.read_text(encoding="utf-8")}</script>', encoding='utf-8')
    if size[0] >= NARROWEST:
        return copy.as_uri()
    frame.write_text(f'<!DOCTYPE html><html lang="en"><title>x</title><link rel="icon" href="data:,">'
                     f'<body style="margin:0"><iframe src="page.html" width="{size[0]}" height="{size[1]}" '
                     'style="border:0;display:block"></iframe></html>', encoding='utf-8')
    return frame.as_uri()


def crop(width, height, rows, size):
    """The part of a picture that a narrow screen shows."""
    width, height = min(width, size[0]), min(height, size[1])
    return width, height, [row[:3 * width] for row in rows[:height]]


def sort_messages(messages, width):
    """Messages of the page's own scripts, and the faults that browser.js found. It must have run to its end."""
    faults = [found[1] for m in messages if (found := FAULT.match(m))]
    checked = [found for m in messages if (found := CHECKED.match(m))]
    if len(checked) != 1 or int(checked[0][2]) != width:
        faults.append(f'not checked in {width} px: {messages}')
    return [m for m in messages if not FAULT.match(m) and not CHECKED.match(m)], faults


def render(path, dark=False, size=(1280, 2000)):
    """The page at a path as a screen of that size shows it."""
    browser = find()
    with tempfile.TemporaryDirectory(prefix='hpt-browser-', ignore_cleanup_errors=True) as folder:
        address = write_copy(path, folder, size)
        shot = os.path.join(folder, 'shot.png')
        p = subprocess.run([browser, *FLAGS, f'--user-data-dir={folder}/profile', f'--screenshot={shot}',
                            f'--blink-settings=preferredColorScheme={DARK if dark else LIGHT}',
                            f'--window-size={max(size[0], NARROWEST)},{size[1]}', address],
                           stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, timeout=LIMIT,
                           env={**os.environ, 'HOME': folder}, check=False)
        said = p.stderr.decode(errors='replace')
        if not os.path.exists(shot):
            raise AssertionError(f'{browser} took no picture of {path}, status {p.returncode}:\n{said[-2000:]}')
        with open(shot, 'rb') as file:
            picture = decode(file.read())
        return Page(*crop(*picture, size), *sort_messages(CONSOLE.findall(said), size[0]))


def pixels(rows):
    """The number of pixels of each colour."""
    counts = {}
    for row in rows:
        for i in range(0, len(row), 3):
            colour = row[i:i + 3]
            counts[colour] = counts.get(colour, 0) + 1
    return counts


def ink(rows):
    """The share of pixels that do not have the most frequent colour."""
    counts = pixels(rows)
    return 1 - max(counts.values()) / sum(counts.values())


def brightness(page):
    """Mean of all colours, 0 .. 255."""
    return sum(sum(row) for row in page.rows) / (3 * page.width * page.height)


# Text and lines have hundreds of colours because of their smooth edges; a page without its style has a dozen.
COLOURS_MIN = 50

# For each third of the picture: a line of text across it is 0.5 %.
INK_MIN = 0.003


def assert_fine(case, page):
    """No message on the console, nothing to stumble over, and no third of the page is blank."""
    case.assertEqual(page.console, [])
    case.assertEqual(page.faults, [])
    case.assertGreater(len(pixels(page.rows)), COLOURS_MIN, 'a blank page')
    third = page.height // 3
    for i, part in enumerate(('top', 'middle', 'end')):
        case.assertGreater(ink(page.rows[i * third:(i + 1) * third]), INK_MIN, f'blank at the {part}')


def assert_both_fine(case, path, size=(1280, 2000)):
    """Check both modes; returns both pages."""
    light, dark = (render(path, is_dark, size) for is_dark in (False, True))
    assert_fine(case, light)
    assert_fine(case, dark)
    case.assertGreater(brightness(light), 160, 'dark in light mode')
    case.assertLess(brightness(dark), 95, 'light in dark mode')
    return light, dark


# A common laptop's width, and a phone's.
SIZES = (1280, 2000), (390, 2400)


def assert_fine_everywhere(case, path):
    for size in SIZES:
        assert_both_fine(case, path, size)


# ---- Itself ---------------------------------------------------------------------------------------------------------

STYLE = '''<style>:root{--bg:#fff;--ink:#222}@media(prefers-color-scheme:dark){:root{--bg:#111;--ink:#eee}}
body{background:var(--bg);color:var(--ink);font-size:20px}</style>'''
TEXT = '<p>The quick brown fox jumps over the lazy dog, and over what else lies there.</p>' * 14
SIZE = 600, 600


def encode(width, rows, kinds, step):
    """A PNG whose lines have filters of the given kinds."""
    raw, before = b'', bytes(width * step)
    for row, kind in zip(rows, kinds):
        raw += bytes([kind])
        for i, value in enumerate(row):
            left, corner = (row[i - step], before[i - step]) if i >= step else (0, 0)
            raw += bytes([(value - predict(kind, left, before[i], corner)) & 255])
        before = row
    head = struct.pack('>IIBBBBB', width, len(rows), 8, 2 if step == 3 else 6, 0, 0, 0)
    data = zlib.compress(raw)
    return b'\x89PNG\r\n\x1a\n' + b''.join(
        struct.pack('>I4s', len(body), kind) + body + struct.pack('>I', zlib.crc32(kind + body))
        for kind, body in ((b'IHDR', head), (b'IDAT', data[:7]), (b'IDAT', data[7:]), (b'IEND', b'')))


class Pictures(unittest.TestCase):
    def test_all_filters_are_undone(self):
        for step in 3, 4:
            rows = [bytes((x * 7 + y * 31 + x * y) & 255 for x in range(9 * step)) for y in range(10)]
            width, height, got = decode(encode(9, rows, [0, 1, 2, 3, 4, 4, 3, 2, 1, 0], step))
            self.assertEqual((width, height), (9, 10))
            self.assertEqual(got, [b''.join(row[i:i + 3] for i in range(0, len(row), step)) for row in rows])

    def test_what_paeth_predicts(self):
        """Examples by hand: ties go to the left neighbour, then to the upper one."""
        around = (10, 20, 10), (20, 10, 10), (5, 5, 5), (8, 11, 10), (11, 8, 10), (1, 3, 2)
        self.assertEqual([predict(4, *n) for n in around], [20, 20, 5, 8, 8, 2])

    def test_other_pictures_are_refused(self):
        with self.assertRaises(ValueError):
            decode(b'GIF89a')
        with self.assertRaises(ValueError):
            decode(encode(1, [b'abc'], [0], 3).replace(b'\x08\x02', b'\x08\x03'))


class Browser(unittest.TestCase):
    def setUp(self):
        find()
        folder = tempfile.TemporaryDirectory(prefix='hpt-')
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, 'a page #1.html')

    def write(self, body):
        with open(self.path, 'w', encoding='utf-8') as file:
            file.write(f'<!DOCTYPE html><html lang="en"><title>x</title><link rel="icon" href="data:,">{body}</html>')

    def test_a_good_page_is_fine_in_light_and_dark(self):
        self.write(STYLE + TEXT)
        light, dark = assert_both_fine(self, self.path, SIZE)
        self.assertEqual((light.width, light.height, len(light.rows), len(light.rows[0])), (600, 600, 600, 1800))
        self.assertGreater(brightness(light), brightness(dark) + 100)

    def test_a_blank_page_is_caught(self):
        self.write(STYLE)
        with self.assertRaisesRegex(AssertionError, 'a blank page'):
            assert_fine(self, render(self.path, size=SIZE))

    def faults(self, body, size=SIZE, dark=False):
        self.write(STYLE + TEXT + body)
        return sorted(render(self.path, dark, size).faults)

    def test_each_kind_of_fault_is_caught(self):
        """Each fault with its neighbour that is none."""
        self.assertEqual(self.faults(
            '<svg width="500" height="80" viewBox="0 0 500 80"><style>text{font-size:12px}.small{font-size:9px}</style>'
            '<text x="5" y="20">an axis title</text><text x="30" y="26">a note upon it</text>'
            '<text x="5" y="60">beside</text><text x="60" y="60">each other</text>'
            '<text x="450" y="60">beyond the edge</text><text class="small" x="250" y="20">tiny</text></svg>'
            '<p style="margin:0 0 -12px">above</p><p style="margin:0">below</p>'
            '<p style="width:60px;height:24px;overflow:hidden;white-space:nowrap">hidden at the end</p>'
            '<div style="width:90px;overflow-x:auto;white-space:nowrap">scrolls up to its end</div>'
            '<p style="color:#aaa;background:#fff">pale</p><p style="color:#767676;background:#fff">readable</p>'
            '<p style="font-size:9.5px">little</p><p style="font-size:10px">enough</p>'
            '<details><summary>more</summary><p style="color:#222;background:#333">folded</p></details>'
            '<table><tr><th>A<th></table>'), [
                'contrast: 1.3, folded', 'contrast: 2.3, pale', 'cut off: beyond the edge',
                'cut off: hidden at the end', 'empty heading: <th></th>', 'overlap: above | below',
                'overlap: an axis title | a note upon it', 'small: 9.0 px, tiny', 'small: 9.5 px, little'])

    def test_a_phone_is_narrow(self):
        """A drawing of 720 units has half its size there, and a long word is wider than the screen."""
        drawing = ('<svg width="720" viewBox="0 0 720 40" style="width:100%"><text x="9" y="20" style="font-size:19px">'
                   'shrinks</text></svg>')
        word = f'<p>{"W" * 30}</p>'
        self.assertEqual(self.faults(drawing + word, (800, 600)), [])
        found = self.faults(drawing + word, (360, 600))
        self.assertEqual([fault.split(':')[0] for fault in found], ['cut off', 'small', 'too wide'], found)

    def test_pale_in_dark_mode_only(self):
        body = '<style>@media(prefers-color-scheme:dark){i{color:#444}}</style><p><i>text</i></p>'
        self.assertEqual(self.faults(body), [])
        self.assertEqual(self.faults(body, dark=True), ['contrast: 1.9, text'])

    def test_a_page_that_ends_early_is_caught(self):
        self.write(STYLE + TEXT)
        with self.assertRaisesRegex(AssertionError, 'blank at the end'):
            assert_fine(self, render(self.path, size=(600, 1600)))

    def test_errors_and_warnings_of_scripts_are_caught(self):
        for script in 'throw new Error("oops")', 'console.warn("oops")', 'console.error("oops")':
            self.write(STYLE + TEXT + f'<script>{script}</script>')
            page = render(self.path, size=SIZE)
            self.assertEqual(len(page.console), 1, page.console)
            self.assertIn('oops', page.console[0])
            with self.assertRaises(AssertionError):
                assert_fine(self, page)

    def test_a_page_without_dark_is_caught(self):
        self.write(STYLE.replace('dark', 'light') + TEXT)
        with self.assertRaisesRegex(AssertionError, 'dark in light mode'):
            assert_both_fine(self, self.path, SIZE)
        self.write('<style>p{font-size:20px}</style>' + TEXT)
        with self.assertRaisesRegex(AssertionError, 'light in dark mode'):
            assert_both_fine(self, self.path, SIZE)


if __name__ == '__main__':
    sys.argv[1:1] = ['hpt'] # no command is run
    import cli
    cli.main()
