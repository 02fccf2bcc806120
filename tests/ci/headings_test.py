# SPDX-License-Identifier: MIT
"""headings_test.py MANDOC PAGE...: each heading of a page is shown with the words that its source has.

In a heading mdoc takes "No", "An" or "In" for a macro and drops it, without a warning: "\\&No" is the word.
"""
import html
import os
import re
import subprocess
import sys
import unittest

MANDOC, PAGES = sys.argv[1], sys.argv[2:]


def written(page):
    with open(page, encoding='utf-8') as f:
        found = re.findall(r'^\.S[hs][ \t]+(.*)$', f.read(), flags=re.M)
    return [' '.join(text.replace(r'\&', '').replace('"', '').split()) for text in found]


def shown(page):
    text = subprocess.run([MANDOC, '-Thtml', page], check=True, stdout=subprocess.PIPE).stdout.decode()
    found = re.findall(r'<h[12] class="S[hs]"[^>]*>(.*?)</h[12]>', text, flags=re.S)
    return [' '.join(html.unescape(re.sub(r'<[^>]*>', '', inner)).split()) for inner in found]


class Headings(unittest.TestCase):
    def test_words_are_shown(self):
        self.assertTrue(PAGES)
        for page in PAGES:
            with self.subTest(page=os.path.basename(page)):
                self.assertTrue(written(page))
                self.assertEqual(shown(page), written(page))


unittest.main(argv=sys.argv[:1])
