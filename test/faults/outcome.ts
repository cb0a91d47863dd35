import { inspect } from 'node:util';
import { RecoveryError } from './fault.ts';
import { figuresOf, findingsOf, historyOf, type Report } from './report.ts';

/** How a run ended. `failed`: the run itself did not work, which says nothing about the system. */
export type Outcome = 'passed' | 'found broken promises' | 'failed';

/** The exit code for each outcome. */
export const EXIT_CODES: Record<Outcome, number> = { passed: 0, 'found broken promises': 1, failed: 2 };

const MOST_FINDINGS = 30;

type Say = (line: string) => void;

/** Says the figures and findings of a run that came to its end. */
export function sayReport(report: Report, say: Say): Outcome {
  const findings = findingsOf(report);
  for (const line of figuresOf(report)) say(line);
  for (const line of findings.slice(0, MOST_FINDINGS)) say(`BROKEN: ${line}`);
  for (const line of historyOf(report, findings)) say(line);
  return findings.length === 0 ? 'passed' : 'found broken promises';
}

/** Says why a run did not come to its end. */
export function sayError(error: unknown, say: Say): Outcome {
  if (error instanceof RecoveryError) {
    say(`BROKEN: ${error.message}`);
    return 'found broken promises';
  }
  say(`The run itself failed. This is no finding about Sealift: ${inspect(error)}`);
  return 'failed';
}
