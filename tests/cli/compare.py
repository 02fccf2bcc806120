# SPDX-License-Identifier: MIT
"""compare.py HPT SCHEMA: hpt bench --compare on made-up runs, damaged files and other files."""
import copy
import json
import os
import unittest

import cli
import schema

SCHEMA = schema.Schema(cli.ARGS[0])
MACHINE = {'hpt_json': 1, 'cpu': {'brand': 'A processor'}}
ROUNDS = 20


def dist(unit, median, doubt=0.01, count=ROUNDS):
    keys = {k: median for k in ('mean', 'filtered_mean', 'min', 'median', 'p99', 'p9999', 'max')}
    low, high = round(median * (1 - doubt)), round(median * (1 + doubt))
    # The band is p10 to p90 for reads, low to high for all others.
    keys.update(stddev=1, filtered_stddev=1, low=median if unit == 'ps' else low, high=median if unit == 'ps' else high,
                p10=low if unit == 'ps' else median, p90=high if unit == 'ps' else median)
    return {'count': count, 'dropped': 0, **{f'{k}_{unit}': v for k, v in keys.items()}}


def head(bench):
    return {'hpt_json': 1, 'bench': bench, 'version': '0', 'interrupted': False, 'machine': copy.deepcopy(MACHINE)}


def read():
    return {**head('read'), 'rows': [{'name': name, 'kind': kind, 'throughput': dist('ps', ps),
                                      'isolated': dist('ps', ps + 2000)}
                                     for name, kind, ps in (('rdtsc', 'yardstick', 8000),
                                                            ('hpt_now(tsc)', 'source', 11000))]}


def sleep():
    # The CPU time differs by a tenth from round to round, so its share is that uncertain.
    length = {'length_ns': 1000000, 'cpu_ns': [9000 + 1000 * (i % 3) for i in range(ROUNDS)],
              'slept_ns': [1000000] * ROUNDS}
    ways = [{'name': name, 'lengths': [copy.deepcopy(length)], 'bands': [
        {'band': 'all', 'miss': dist('ns', 60), 'deadline_miss': dist('ns', 40), 'cpu_ppm': 10000},
        {'band': 'short', 'miss': dist('ns', 60), 'deadline_miss': deadline, 'cpu_ppm': 10000}]}
        for name, deadline in (('hpt_sleep_until_ticks', dist('ns', 40)), ('nanosleep', None))]
    return {**head('sleep'), 'ways': ways}


def wake():
    ways = [{'name': name, 'latency': dist('ns', 300), 'cost': dist('ns', 90)}
            for name in ('hpt_waiter_interrupt', 'bare futex')]
    keepers = [{'name': 'hpt_ticker_wait', 'late': dist('ns', 150), 'cpu_ppm': 9000}]
    return {**head('wake'), 'phases': [{'name': 'spin', 'ways': ways}],
            'ticker': {'period_ns': 1000000, 'keepers': keepers}}


def load():
    ways = [{'name': name, 'late': dist('ns', 60), 'cpu_ns': 30000}
            for name in ('hpt_sleep_until_ticks', 'clock_nanosleep')]
    return {**head('load'), 'load': 2, 'rates': [{'name': '1 kHz', 'ways': ways}]}


def frontier():
    ways = [{'name': name, 'lateness': dist('ns', 60), 'cpu_ns': 30000} for name in ('hpt, STRICT', 'clock_nanosleep')]
    return {**head('frontier'), 'regimes': [{'name': 'idle CPUs', 'ways': ways}]}


def report():
    return {'hpt_json': 1, 'bench': 'report', 'version': '0', 'interrupted': False, 'read': read(), 'sleep': sleep(),
            'wake': wake()}


KINDS = {'read': read, 'sleep': sleep, 'wake': wake, 'load': load, 'frontier': frontier,
         'report': report}


class Case(cli.FolderCase):
    def write(self, name, document):
        text = document if isinstance(document, bytes) else json.dumps(document).encode()
        with open(self.path(name), 'wb') as f:
            f.write(text)
        return self.path(name)

    def run_compare(self, a, b, *args):
        return cli.run('bench', '--compare', self.write('a', a), self.write('b', b), *args)

    def compare(self, a, b, *args):
        """The exit status and the answer."""
        p = self.run_compare(a, b, '--json', *args)
        self.assertEqual(p.stderr, b'')
        answer = json.loads(p.stdout)
        if schema.jsonschema:
            self.assertEqual(SCHEMA.errors('compare', answer), [])
        self.assertEqual(p.returncode, 3 if answer['slower'] else 0)
        return p.returncode, answer

    def verdicts(self, answer):
        return {f['name']: f['verdict'] for f in answer['results']}


class Judged(Case):
    FIGURES = {
        'read': {'rdtsc throughput', 'rdtsc isolated', 'hpt_now(tsc) throughput', 'hpt_now(tsc) isolated'},
        'sleep': {'hpt_sleep_until_ticks cpu', 'hpt_sleep_until_ticks short miss',
                  'hpt_sleep_until_ticks short deadline_miss',
                  'nanosleep cpu', 'nanosleep short miss'},
        'wake': {'spin hpt_waiter_interrupt latency', 'spin bare futex latency', 'ticker hpt_ticker_wait late',
                 'ticker hpt_ticker_wait cpu'},
    }
    FIGURES['report'] = set.union(*FIGURES.values())
    FIGURES['load'] = {f'1 kHz {name} {what}' for name in ('hpt_sleep_until_ticks', 'clock_nanosleep')
                       for what in ('late', 'cpu')}
    FIGURES['frontier'] = {f'idle CPUs, {name} {what}' for name in ('hpt, STRICT', 'clock_nanosleep')
                           for what in ('lateness', 'cpu')}
    WITHOUT_BAND = {'ticker hpt_ticker_wait cpu', '1 kHz hpt_sleep_until_ticks cpu', '1 kHz clock_nanosleep cpu',
                    'idle CPUs, hpt, STRICT cpu', 'idle CPUs, clock_nanosleep cpu'}

    def test_options_stand_anywhere(self):
        a, b = self.write('a', read()), self.write('b', read())
        answers = [cli.run('bench', *args).stdout for args in (
            ['--compare', '--json', '--threshold=3', a, b], ['--json', '--compare', a, '--threshold=3', b],
            ['--compare', a, b, '--threshold=3', '--json'])]
        self.assertEqual(json.loads(answers[0])['threshold_ppm'], 30000)
        self.assertEqual(answers, answers[:1] * 3)

    def test_a_run_is_the_same_as_itself(self):
        for kind, make in KINDS.items():
            status, answer = self.compare(make(), make())
            self.assertEqual((status, answer['compare'], answer['slower'], answer['faster']), (0, kind, 0, 0))
            self.assertEqual(set(self.verdicts(answer)), self.FIGURES[kind])
            unjudged = {n for n, v in self.verdicts(answer).items() if v == 'unjudged'}
            self.assertEqual(unjudged, self.WITHOUT_BAND & self.FIGURES[kind])
            self.assertTrue(all(f['ratio_ppm'] == 1000000 for f in answer['results']))
            self.assertEqual(answer['notes'], [])

    def slower(self, factor, doubt):
        b = read()
        b['rows'][1]['throughput'] = dist('ps', round(11000 * factor), doubt)
        return b

    def test_half_as_slow_again_is_reported_by_name(self):
        status, answer = self.compare(read(), self.slower(1.5, 0.01))
        self.assertEqual((status, answer['slower'], answer['faster']), (3, 1, 0))
        self.assertEqual({n for n, v in self.verdicts(answer).items() if v == 'slower'}, {'hpt_now(tsc) throughput'})
        p = self.run_compare(read(), self.slower(1.5, 0.01))
        self.assertEqual((p.returncode, p.stderr), (3, b''))
        self.assertRegex(p.stdout.decode(), r'(?m)^hpt_now\(tsc\) throughput +11\.00 ns +16\.50 ns +1\.500 .* slower$')
        self.assertIn('\n1 slower, 0 faster, 3 the same within 5 % and noise, 0 not judged\n', p.stdout.decode())

    def test_a_median_outside_its_band_is_judged(self):
        """For example in a file that was edited by hand."""
        b = read()
        b['rows'][1]['isolated']['median_ps'] *= 2
        self.assertEqual(self.compare(read(), b)[0], 3)

    def test_yardsticks_that_moved_are_noted(self):
        for factor, says in ((1.5, '1.500'), (0.5, '0.500')):
            b = read()
            b['rows'][0]['throughput'] = dist('ps', round(8000 * factor))
            notes = self.compare(read(), b)[1]['notes']
            self.assertEqual(len(notes), 1)
            self.assertIn(f'yardsticks, which are not libhpt\'s, changed too, by a factor of {says}:', notes[0])
        self.assertEqual(self.compare(read(), self.slower(1.5, 0.01))[1]['notes'], [])

    def test_the_mirror_is_faster(self):
        status, answer = self.compare(self.slower(1.5, 0.01), read())
        self.assertEqual((status, answer['slower'], answer['faster']), (0, 0, 1))

    def test_noise_is_no_difference(self):
        status, answer = self.compare(read(), self.slower(1.5, 0.6))
        self.assertEqual((status, answer['slower']), (0, 0))
        figure = next(f for f in answer['results'] if f['name'] == 'hpt_now(tsc) throughput')
        doubt = (0.01**2 + 0.6**2)**0.5
        self.assertAlmostEqual(figure['low_ppm'] / 1.5e6 * (1 + doubt), 1, 4)
        self.assertAlmostEqual(figure['high_ppm'] / 1.5e6 / (1 + doubt), 1, 4)

    def test_threshold(self):
        for percent, status in (('49', 0), ('40%', 3), ('45', 3), ('48.5', 0), ('0', 3), ('1000', 0)):
            # A hundredth on each side: the favourable end is 1.5 / 1.01414.
            self.assertEqual(self.compare(read(), self.slower(1.5, 0.01), f'--threshold={percent}')[0], status, percent)
        self.assertEqual(self.compare(read(), self.slower(1.04, 0.001))[1]['threshold_ppm'], 50000)

    def test_few_samples_are_not_judged(self):
        b = self.slower(1.5, 0)
        b['rows'][1]['throughput']['count'] = 5
        self.assertEqual(self.verdicts(self.compare(read(), b)[1])['hpt_now(tsc) throughput'], 'unjudged')
        b['rows'][1]['throughput']['count'] = 6
        self.assertEqual(self.verdicts(self.compare(read(), b)[1])['hpt_now(tsc) throughput'], 'slower')

    def test_what_is_not_above_0_is_shown_only(self):
        for value in 0, -5:
            b = sleep()
            b['ways'][0]['bands'][1]['deadline_miss'] = dist('ns', value)
            for pair in (sleep(), b), (b, sleep()), (b, b):
                status, answer = self.compare(*pair)
                figure = next(f for f in answer['results'] if f['name'] == 'hpt_sleep_until_ticks short deadline_miss')
                self.assertEqual((status, figure['verdict'], figure['ratio_ppm']), (0, 'unjudged', None))

    def test_cpu_of_sleeps_is_judged_by_rounds(self):
        b = sleep()
        b['ways'][0]['bands'][0]['cpu_ppm'] = 20000
        self.assertEqual(self.verdicts(self.compare(sleep(), b)[1])['hpt_sleep_until_ticks cpu'], 'slower')
        b['ways'][0]['lengths'][0]['cpu_ns'] = [10000, 90000] * (ROUNDS // 2)
        self.assertEqual(self.verdicts(self.compare(sleep(), b)[1])['hpt_sleep_until_ticks cpu'], 'same')
        del b['ways'][0]['lengths'][0]['slept_ns'][5]
        self.assertEqual(self.verdicts(self.compare(sleep(), b)[1])['hpt_sleep_until_ticks cpu'], 'unjudged')

    def test_notes(self):
        a, b = read(), read()
        del b['rows'][0]
        a['interrupted'] = True
        a['disturbance'], b['disturbance'] = {'is_disturbed': False}, {'is_disturbed': True}
        b['machine']['cpu']['brand'] = 'Another one'
        status, answer = self.compare(a, b)
        self.assertEqual((status, len(answer['results'])), (0, 2))
        self.assertEqual(answer['notes'], [
            'Of different machines: A processor and Another one', f'Interrupted: {self.path("a")}',
            f'Disturbed by other programs: {self.path("b")}',
            f'Only in {self.path("a")}: rdtsc throughput', f'Only in {self.path("a")}: rdtsc isolated'])
        text = self.run_compare(a, b).stdout.decode()
        for note in answer['notes']:
            self.assertIn(note + '\n', text)

    def test_parts_of_reports(self):
        b = report()
        b['wake'] = None
        status, answer = self.compare(report(), b)
        self.assertEqual((status, set(self.verdicts(answer))), (0, self.FIGURES['read'] | self.FIGURES['sleep']))


class Refused(Case):
    def refuse(self, document, *words):
        good = self.write('good', read())
        bad = self.write('bad', document)
        for pair in (good, bad), (bad, good):
            text = self.fails(1, 'bench', '--compare', *pair)
            for word in words:
                self.assertIn(word, text)

    def test_no_json(self):
        whole = json.dumps(read()).encode()
        for document in (b'', b' ', b'\0', whole[:-1], whole[:200], whole + b'x', whole.replace(b'rdtsc', b'rd\0sc'),
                         whole.replace(b'rdtsc', b'rd\xffsc'), whole.replace(b'rdtsc', b'rd\\u0000sc'), b'[' * 100000,
                         b'{"a":' * 100000, b'1e400', b'\x1f\x8b' + whole, whole.replace(b'8000', b'9' * 40)):
            self.refuse(document, 'not JSON')

    def test_json_of_others(self):
        for document in ({}, [], 1, None, 'x', {'bench': 'read'}, {'hpt_json': 1}, {'hpt_json': '1', 'bench': 'read'},
                         {'hpt_json': 1, 'bench': 'foo'}, {'hpt_json': 1, 'bench': 'read'}, {**read(), 'rows': {}}):
            self.refuse(document, 'bad: ')
        self.refuse({**read(), 'hpt_json': 2}, 'format 2, but')

    def test_nothing_in_common(self):
        self.refuse(sleep(), "of 'sleep'")
        self.refuse({**read(), 'rows': []}, 'no result in common')
        other = read()
        for row in other['rows']:
            row['name'] += 'x'
        self.refuse(other, 'no result in common')

    def test_too_many_figures(self):
        self.refuse({**read(), 'rows': read()['rows'] * 5000}, 'too many results')

    def test_what_cannot_be_read(self):
        good = self.write('good', read())
        os.mkfifo(self.path('pipe'))
        with open(self.path('large'), 'wb') as f:
            f.truncate(100 << 20)
        for bad, why in ((self.folder, 'not a regular file'), (self.path('pipe'), 'not a regular file'),
                         ('/dev/zero', 'not a regular file'), (self.path('none'), 'No such file'),
                         (self.path('large'), 'larger than')):
            for pair in (good, bad), (bad, good):
                self.assertIn(why, self.fails(1, 'bench', '--compare', *pair))

    def test_name_of_a_file_is_one_line(self):
        self.fails(1, 'bench', '--compare', self.path('a\nb\x1b'), self.path('none'))


if __name__ == '__main__':
    cli.main()
