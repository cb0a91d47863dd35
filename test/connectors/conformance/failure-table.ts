import { expect } from 'chai';
import type { ConnectorContext, Session } from '../../../libs/connector/contract.ts';
import type { ConnectorError, FailureKind } from '../../../libs/connector/errors.ts';
import type { Fake, Fault } from '../../sandbox/contract.ts';

/** The value that the verbs of a table write. */
export const HIDDEN_VALUE = 'the-hidden-value';

// The fakes write the words into every refusal and every page.
const ALWAYS_HIDDEN = new RegExp(`vendor detail|portal|${HIDDEN_VALUE}`, 'i');

/** What the store answers: its own code, an HTTP status, both, or another fault. */
type Answer = string | number | [status: number, code: string] | Fault;

type Expectation = {
  /** Names the answer in the title, if it is another fault. */
  what?: string;
  scope?: 'destination';
  /** Milliseconds until the next try, if others than `waits` of the table. */
  waits?: number;
  says?: RegExp;
  /** How often the operation is called; once if absent. */
  calls?: number;
};

/** An answer to an operation, and the failure that the engine then sees. */
export type MetFailure<Operation extends string> = [
  answer: Answer,
  operation: Operation,
  kind: FailureKind,
  code: string,
  more?: 'destination' | Expectation,
];

/** A verb that calls the operation under whose name it stands. */
export type CallVerb<TestFake> = (session: Session, fake: TestFake, signal: AbortSignal) => Promise<unknown>;

/** What the suite needs to know of a store to try all its failures. */
export type FailuresOfStore<TestFake extends Fake, Operation extends string> = {
  type: string;
  startFake: () => Promise<TestFake>;
  open: (fake: TestFake, context?: Partial<ConnectorContext>) => Promise<Session>;
  /** Puts the entry into the store that the verbs work on. */
  prepare?: (fake: TestFake) => void;
  verbs: Record<Operation, CallVerb<TestFake>>;
  /** The product's table. */
  failures: {
    rows: { code: string; message?: string; codes?: string[]; status?: number | [number, number] }[];
  };
  /** What the product's messages may have filled in, beside the store and the setting. */
  words: string[];
  /** What no error may show: credentials, and the store's own words. */
  hidden: RegExp;
  /** The form of the store's request ids, if it sends any. */
  requestId?: RegExp;
  /** Milliseconds until the next try, by code. */
  waits: Record<string, number>;
  /** The codes of the rows of the product's table that other tests meet. Where absent, nobody counts them. */
  metElsewhere?: string[];
  /** What a redirect means, if not `external redirected`. */
  redirect?: [FailureKind, string];
  rows: MetFailure<NoInfer<Operation>>[];
};

/** The fault that makes the fake answer so. */
export function faultOf(answer: Answer): Fault {
  if (typeof answer === 'string') return { kind: 'error', code: answer };
  if (typeof answer === 'number') return { kind: 'error', status: answer };
  if (Array.isArray(answer)) return { kind: 'error', status: answer[0], code: answer[1] };
  return answer;
}

/** A row with all that it leaves out. */
export function readRow<Operation extends string>(
  [answer, operation, kind, code, more = {}]: MetFailure<Operation>,
  waits: Record<string, number>,
) {
  const fault = faultOf(answer);
  const expected: Expectation = more === 'destination' ? { scope: 'destination' } : more;
  const { scope = 'entry', calls = 1, says = /./ } = expected;
  const name = typeof answer === 'object' && !Array.isArray(answer) ? fault.kind : [answer].flat().join(' ');
  return {
    fault: { ...fault, operation },
    operation,
    what: expected.what ?? name,
    outcome: { kind, code, scope, retryAfterMs: expected.waits ?? waits[code] },
    says,
    calls,
  };
}

/** A session that is signed in, so that the ledger of the fake has only the calls of a verb. */
export async function openWarm<TestFake extends Fake>(
  { open }: Pick<FailuresOfStore<TestFake, string>, 'open'>,
  fake: TestFake,
  context: Parameters<typeof open>[1] = {},
): Promise<Session> {
  const session = await open(fake, context);
  await session.check(new AbortController().signal, 'sealift-check');
  fake.clearCalls();
  return session;
}

/** Neither the error nor its causes show a secret, or a word of the store. */
export function expectNothingHidden(failure: ConnectorError, hidden: RegExp): void {
  const stack = (failure.stack ?? '').replaceAll(/^\s+at .*$/gm, '');
  const shown = [failure.message, JSON.stringify(failure), stack, String(failure.cause)].join('\n');
  expect(shown).to.not.match(ALWAYS_HIDDEN).and.not.match(hidden);
}
