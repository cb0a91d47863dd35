import { withSpan } from '../../tracing/trace.ts';
import type { Session } from '../contract.ts';

/** The same session, each of its verbs a span of the push or command that calls it. Spans know the type and the verb only. */
export function traceSession(session: Session, type: string): Session {
  const traced = <Words extends unknown[], Result>(
    verb: string,
    call: (...words: Words) => Promise<Result>,
  ) => {
    const options = { kind: 'client', attributes: { 'sealift.type': type, 'sealift.verb': verb } } as const;
    return (...words: Words): Promise<Result> => withSpan(`${verb} ${type}`, options, () => call(...words));
  };
  const { putMany, retag, close } = session;
  return {
    check: traced('check', session.check.bind(session)),
    read: traced('read', session.read.bind(session)),
    put: traced('put', session.put.bind(session)),
    remove: traced('remove', session.remove.bind(session)),
    ...(putMany && { putMany: traced('putMany', putMany.bind(session)) }),
    ...(retag && { retag: traced('retag', retag.bind(session)) }),
    ...(close && { close: close.bind(session) }),
  };
}
