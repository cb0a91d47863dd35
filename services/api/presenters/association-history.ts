import type { HistoryLine } from '../../../libs/store/associations/history.ts';
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
    trigger: line.trigger,
    cause: line.cause,
    ms: line.duration_ms,
  };
}
