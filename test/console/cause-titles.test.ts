import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { presentSummary } from '../../services/api/presenters/summary.ts';
import { CAUSE_TITLES } from '../../libs/telling/cause-titles.ts';

describe('problems as people read them', () => {
  it('every documented cause has a headline', () => {
    const text = readFileSync('docs/causes.md', 'utf8');
    const codes = [...text.matchAll(/^\| `([a-z_]+)`/gm)].map(([, code = '']) => code);
    expect(codes.length).to.be.above(50);
    expect(codes.filter((code) => !(code in CAUSE_TITLES))).to.deep.equal([]);
    expect(Object.keys(CAUSE_TITLES).filter((code) => !codes.includes(code))).to.deep.equal([]);
  });

  it('the severest problem comes first, and of equal ones the newest', () => {
    const group = (status: string, since: string) => ({
      destination_id: 1,
      type: 'cloud1-sm',
      name: 'prod',
      status,
      cause: { class: status, code: since, message: '' },
      messages: null,
      scope: 'association' as const,
      count: 1,
      since,
      decided: 0,
      standing: 0,
      failing_since: null,
      next_at: null,
      example: { mount: 'secret', secret_path: 'a' },
    });
    const { problems } = presentSummary({
      disabled: false,
      pause: null,
      totals: { total: 4, by_status: {}, destinations: 1, problems: 4 },
      page: { destinations: [], exceptions: [] },
      problems: [
        group('DRIFTED', '2026-01-04T00:00:00Z'),
        group('CLIENT_SIDE_ERROR', '2026-01-01T00:00:00Z'),
        group('EXTERNAL_SERVICE_ERROR', '2026-01-05T00:00:00Z'),
        group('CLIENT_SIDE_ERROR', '2026-01-03T00:00:00Z'),
      ],
    });
    expect(problems.map(({ since }) => String(since).slice(0, 10))).to.deep.equal([
      '2026-01-03',
      '2026-01-01',
      '2026-01-05',
      '2026-01-04',
    ]);
  });
});
