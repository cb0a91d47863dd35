import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../../deploy/local/root.ts';
import { RENEWED_WITHIN_MS } from '../../../libs/queue/limits.ts';
import { ANNOUNCED_WITHIN_MS, CLUSTER_SETTINGS } from './settings.ts';

// A sweep begins after 75 to 125 percent of its interval.
const SHORTEST_SHARE = 0.75;

describe('the limits of a run with several servers', () => {
  it('the time for an announcement is shorter than the time between two sweeps', () => {
    expect(ANNOUNCED_WITHIN_MS).to.be.below(SHORTEST_SHARE * Number(CLUSTER_SETTINGS.SWEEP_INTERVAL));
  });

  it('the guide to high availability names the times that follow from the limits of the code', () => {
    const guide = readFileSync(join(projectRoot, 'docs/high-availability.md'), 'utf8');
    expect(guide).to.contain(`at most ${RENEWED_WITHIN_MS / 1000} s, see below`);
    expect(guide).to.contain(`workers of each type within ${ANNOUNCED_WITHIN_MS / 1000} s`);
  });
});
