# SPDX-License-Identifier: MIT
"""Compares figures before and after with their targets."""
import statistics

from way import AFTER, BEFORE


def paired(row):
    """after / before of each round, sorted."""
    return sorted(after / before for before, after in zip(row.values[BEFORE], row.values[AFTER]) if before)


def interval(ratios):
    """
    Of sorted values two between which the median of all such values lies with 95 % or more: of 10 the second and the
    ninth, by the binomial distribution. Of fewer than 6 the least and the greatest, with less.
    """
    count, below = len(ratios), 0
    share = total = 0.5 ** count
    while total <= 0.025:
        below += 1
        share *= (count - below + 1) / below
        total += share
    below = max(1, below)
    return ratios[below - 1], ratios[count - below]


def judge(row, most=None, least=None, by_interval=False):
    """A line that says whether the median ratio is at most, or at least, this; by_interval: or may be."""
    ratios = paired(row)
    if not ratios:
        return f'-       {row.what}: not measured'
    low, high = interval(ratios)
    median = statistics.median(ratios)
    if most is None:
        is_met, wanted = (high if by_interval else median) >= least, f'>= {least}'
    else:
        is_met, wanted = (low if by_interval else median) <= most, f'<= {most}'
    return (f"{'met' if is_met else 'MISSED':<6}  {row.what}: {median:.3f} x as it is, target {wanted} "
            f'(median of {len(ratios)} pairs, 95 % within {low:.3f} to {high:.3f})')


def ratio(row):
    before, after = (statistics.median(row.values[way]) if row.values[way] else 0 for way in (BEFORE, AFTER))
    return f'{after / before:.3g}' if before else '-'


def lines(table):
    """As Markdown: medians over the rounds, and their ranges."""
    yield '| Median (range) | As it is | hpt run | Ratio |'
    yield '|---|---|---|---|'
    for row in table.rows.values():
        yield f'| {row.what}, {row.unit} | {row.cell(BEFORE)} | {row.cell(AFTER)} | {ratio(row)} |'
