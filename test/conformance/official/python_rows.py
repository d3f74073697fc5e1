"""Runs queries with Python's sqlite3 and prints digests of their rows.

Reads JSON lines {"path", "sql"}; prints a JSON line for each: {"exact", "rounded"} or {"error"}.
A cell is N, I<decimal>, F<number>, T<hex of UTF-8> or B<hex>; cells are joined by "|", rows sorted and
joined by a newline, and the whole hashed with SHA-256. F holds the eight bytes of the double in hex for
"exact", and nine decimals of its mantissa with its exponent for "rounded".
"""

import hashlib
import json
import sqlite3
import struct
import sys


class Text(bytes):
    """Stored text, told apart from a blob."""


def exact(number):
    return struct.pack(">d", number).hex()


def rounded(number):
    if number != number or number in (float("inf"), float("-inf")):
        return exact(number)
    mantissa, exponent = f"{number:.9e}".split("e")
    return f"{mantissa}e{int(exponent)}"


def cell(value, number):
    if value is None:
        return "N"
    if isinstance(value, int):
        return f"I{value}"
    if isinstance(value, float):
        return "F" + number(value)
    return ("T" if isinstance(value, Text) else "B") + value.hex()


def digest(rows, number):
    lines = sorted("|".join(cell(value, number) for value in row) for row in rows)
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def main():
    connections = {}
    for line in sys.stdin:
        request = json.loads(line)
        path = request["path"]
        if path not in connections:
            connections[path] = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
            connections[path].text_factory = Text
        try:
            rows = connections[path].execute(request["sql"]).fetchall()
            reply = {"exact": digest(rows, exact), "rounded": digest(rows, rounded)}
        except sqlite3.Error as error:
            reply = {"error": str(error)}
        print(json.dumps(reply))


main()
