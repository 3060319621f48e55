#!/usr/bin/env python3
"""Makes seeded variants of every family with drawn parameters:  variants.py --out DIR --count 20 [--seed 1] [--family daypart_program] [--office]

The parameters of each variant are drawn from its seed, so that the same seed makes the same document. --office also makes the forms that need LibreOffice."""
import argparse, os, random, sys
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import make

R = random.Random


def some(r: random.Random, n: int, most: int = 2) -> tuple:
    return tuple(sorted(r.sample(range(n), min(n, r.randint(0, most)))))


def lengths(r: random.Random) -> tuple:
    return r.choice([(15,), (30,), (15, 30), (5, 15, 30)])


def draw(family: str, r: random.Random, office: bool) -> dict | None:
    n, w, first = r.randint(1, 14), r.randint(2, 9), r.randint(-6, 14)
    if family == 'brand_time_schedule':
        return dict(lines=n, weeks=r.randint(2, 12), first=first, bonus=some(r, n), lengths=lengths(r), blanks=r.random() * 0.6, rows_per_page=r.randint(8, 18))
    if family == 'two_regimes':
        return dict(lines=r.randint(2, 9), weeks=r.randint(6, 20), first_blank=r.randint(2, 10), **({'fee': '750.00'} if r.random() < 0.4 else {}))
    if family == 'spots_per_week':
        s = r.choice([1, 1, 2])
        n = max(n, 2 * s)
        return dict(lines=n, weeks=r.randint(2, 14), first=first, stations=s, station_once=r.random() < 0.5, blanks=r.random() * 0.6, bonus=some(r, n), rows_per_page=r.randint(8, 14), last_short=r.random() < 0.3)
    if family == 'daypart_program':
        return dict(lines=n, weeks=r.randint(2, 13), first=first, bonus=some(r, n), numbered=r.random() < 0.6, cpp=r.random() < 0.6, blanks=r.random() * 0.6, rows_per_page=r.randint(5, 9), start_row=r.randint(1, 40), skip=() if r.random() < 0.6 else (1,))
    if family == 'weeks_times_spots':
        return dict(lines=r.randint(1, 40), weeks=w, first=first, start_row=r.randint(1, 30), earlier=r.choice(['0.00', '250.00']), length=r.choice([15, 30]), odd_weeks=r.random() < 0.15 and w > 3)
    if family == 'prose_order':
        return dict(paid=r.randint(6, 40), bonus=r.randint(2, 12), rate=r.choice(['55.00', '42.50']), items=r.randint(1, 3), package=r.random() < 0.5)
    if family == 'web_report':
        return dict(lines=n, weeks=w, first=first, bonus=some(r, n), blanks=r.random() * 0.5, rows_per_page=r.randint(8, 13))
    if family == 'day_grid':
        return dict(lines=r.randint(1, 10), days=r.randint(7, 28), first=first, creatives=r.choice([1, 1, 2, 3]), weekday=r.randint(0, 6), zone=r.choice(['CT', 'ET', 'PST']), odd_clock=some(r, 3))
    if family == 'unit_value':
        return dict(blocks=r.randint(1, 6), weeks=r.randint(2, 6), first=first, length=r.choice([15, 30]), short_days=r.choice([0, 0, 2]), bonus=r.random() < 0.8, year=r.random() < 0.7)
    if family == 'promo_cost':
        return dict(blocks=r.randint(1, 5), weeks=r.randint(2, 9), first=first, production=r.choice(['900.00', '250.00']))
    if family == 'markets':
        return dict(number=r.randint(1, 3), blocks=r.randint(1, 3), weeks=r.randint(3, 8), first=first, production=r.choice(['400.00', '650.00']), encrypted=r.random() < 0.3)
    if family == 'two_options':
        return dict(weeks=r.randint(2, 9), first=first, blocks=(r.randint(1, 3), r.randint(1, 3)))
    if family == 'contract':
        n = r.randint(2, 30)
        return dict(lines=n, weeks=r.randint(2, 4), first=first, multi=some(r, n, 4), deleted=some(r, n, 2), edited=some(r, n, 2), minute=some(r, n, 2))
    if family == 'two_option_sheets':
        return {}
    if family == 'buysheet':
        form = r.choice('abcdef' if office else 'ef')
        return dict(form=form, lines=n, weeks=r.randint(2, 12 if form == 'c' else 6), first=first, network=form in 'abe' and r.random() < 0.7, bonus=some(r, n))
    if family == 'confirmation':
        n = r.randint(2, 6)
        return dict(lines=n, weeks=w, first=first, per=r.choice(['order', 'week']), bonus=some(r, n))
    if family == 'bracket_export':
        return dict(lines=r.randint(1, 9), weeks=r.randint(4, 13), first=first)
    if family == 'station_log':
        return dict(per_day=r.randint(1, 3), planned=r.random() < 0.5, first=first)
    if family == 'as_run':
        return dict(form=r.choice(['report-csv', 'log-csv']), per_day=r.randint(1, 4), first=first)
    if family == 'week_of_rows':
        return dict(programs=r.randint(1, 4), weeks=r.randint(2, 6), first=first, free=r.random() < 0.7, rate=r.choice(['75.00', '110.00']), lengths=r.choice([15, 30]))
    if family == 'copy_instruction':
        return dict(spots=r.choice([2, 4, 5]), first=first)
    return None


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('--out', required=True)
    p.add_argument('--count', type=int, default=20)
    p.add_argument('--seed', type=int, default=1)
    p.add_argument('--family')
    p.add_argument('--office', action='store_true')
    a = p.parse_args()
    os.makedirs(a.out, exist_ok=True)
    for family, f in make.FAMILIES.items():
        if a.family not in (None, family):
            continue
        for k in range(a.count):
            seed = a.seed * 100_000 + k
            values = draw(family, R(f'{family}/{seed}'), a.office)
            if values is None:
                continue
            name = f'{family.replace("_", "-")}-{seed}'
            try:
                data, expected = f(name=name, seed=seed, **values)
            except (IndexError, ValueError, ZeroDivisionError) as e:
                print(f'{name}: {values}: {e!r}', file=sys.stderr)
                continue
            make.write(a.out, data, expected)


if __name__ == '__main__':
    main()
