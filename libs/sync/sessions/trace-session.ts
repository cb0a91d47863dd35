import { withSpan } from '../../tracing/trace.ts';
import type { Session } from '../../connector/contract.ts';

// Names every property, so that none can be left out unseen.
type Complete<Type> = { [Key in keyof Required<Type>]: Type[Key] | undefined };

/** The same session, each of its verbs a span of the push or command that calls it. Spans know the type and the verb only. */
export function traceSession(session: Session, type: string): Session {
  const traced = <Words extends unknown[], Result>(
    verb: string,
    call: (...words: Words) => Promise<Result>,
  ) => {
    const options = { kind: 'client', attributes: { 'sealift.type': type, 'sealift.verb': verb } } as const;
    return (...words: Words): Promise<Result> => withSpan(`${verb} ${type}`, options, () => call(...words));
  };
  const { findOwner, putMany, retag, isOutdated, close } = session;
  const all: Complete<Session> = {
    check: traced('check', session.check.bind(session)),
    read: traced('read', session.read.bind(session)),
    findOwner: findOwner && traced('findOwner', findOwner.bind(session)),
    put: traced('put', session.put.bind(session)),
    putMany: putMany && traced('putMany', putMany.bind(session)),
    retag: retag && traced('retag', retag.bind(session)),
    remove: traced('remove', session.remove.bind(session)),
    isOutdated: isOutdated?.bind(session),
    close: close?.bind(session),
  };
  return all as Session;
}
