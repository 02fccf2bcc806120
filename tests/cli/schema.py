# SPDX-License-Identifier: MIT
"""JSON against the schema in the tree, where the interpreter has jsonschema (Debian: python3-jsonschema)."""
import json

try:
    import jsonschema
except ImportError:
    jsonschema = None

MISSING = 'no jsonschema for this Python'


class Schema:
    def __init__(self, path):
        with open(path, encoding='utf-8') as f:
            self.text = json.load(f)
        if jsonschema:
            jsonschema.Draft202012Validator.check_schema(self.text)
            self.whole = jsonschema.Draft202012Validator(self.text)

    def is_valid(self, document):
        return self.whole.is_valid(document)

    def errors(self, kind, document):
        """The errors of a document of that kind, each with its path; an empty list if it is valid."""
        one = jsonschema.Draft202012Validator({'$ref': f'#/$defs/{kind}', '$defs': self.text['$defs']})
        return [f'{"/".join(map(str, e.absolute_path))}: {e.message}'[:300] for e in one.iter_errors(document)]
