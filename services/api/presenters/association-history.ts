import type { HistoryLine } from '../../../libs/store/associations/history.ts';
import type { Trigger } from '../../../libs/store/due/trigger.ts';
import type { AttemptAnswer } from '../contract/associations.ts';

export function presentHistory(line: HistoryLine): AttemptAnswer {
  return {
    id: line.id,
    at: line.at,
    sub_key: line.sub_key,
    external_name: line.external_name,
    action: line.action,
    version: line.source_version,
    version_by: line.version_by,
    outcome: line.outcome,
    trigger: line.trigger && triggerOf(line.trigger),
    ...waitedOf(line.trigger),
    cause: line.cause,
    ms: line.duration_ms,
  };
}

function triggerOf({ waited: _waited, ...trigger }: Trigger): NonNullable<AttemptAnswer['trigger']> {
  return trigger;
}

/** That an attempt came late, as it is read. */
export function waitedOf(trigger: Trigger | null): Pick<AttemptAnswer, 'waited'> {
  if (!trigger?.waited) return {};
  const { since, for: code } = trigger.waited;
  return { waited: { since: new Date(since * 1000).toISOString(), for: code } };
}
