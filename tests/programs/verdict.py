# SPDX-License-Identifier: MIT
"""Compares figures before and after with their targets."""
import statistics

from way import AFTER, BEFORE, TITLES


def paired(row, way=AFTER):
    """This way / before of each round, sorted."""
    return sorted(value / before for before, value in zip(row.values[BEFORE], row.values[way]) if before)


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


def judge(row, most=None, least=None, by_interval=False, way=AFTER):
    """A line that says whether the median ratio is at most, or at least, this; by_interval: or may be."""
    ratios = paired(row, way)
    what = row.what if way == AFTER else f'{row.what}, {TITLES[way]}'
    if not ratios:
        return f'-       {what}: not measured'
    low, high = interval(ratios)
    median = statistics.median(ratios)
    if most is None:
        is_met, wanted = (high if by_interval else median) >= least, f'>= {least}'
    else:
        is_met, wanted = (low if by_interval else median) <= most, f'<= {most}'
    return (f"{'met' if is_met else 'MISSED':<6}  {what}: {median:.3f} x as it is, target {wanted} "
            f'(median of {len(ratios)} pairs, 95 % within {low:.3f} to {high:.3f})')


def ratio(row, way=AFTER):
    before, value = (statistics.median(row.values[one]) if row.values[one] else 0 for one in (BEFORE, way))
    return f'{value / before:.3g}' if before and row.values[way] else '-'


def lines(table, ways=(BEFORE, AFTER)):
    """As Markdown: medians over the rounds, their ranges, and the ratios to the first way."""
    columns = ['Median (range)', *(TITLES[way] for way in ways), *['Ratio'] * (len(ways) - 1)]
    yield f"| {' | '.join(columns)} |"
    yield '|---' * len(columns) + '|'
    for row in table.rows.values():
        cells = [f'{row.what}, {row.unit}', *(row.cell(way) for way in ways), *(ratio(row, way) for way in ways[1:])]
        yield f"| {' | '.join(cells)} |"
