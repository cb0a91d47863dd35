import type { EventLine, StoryLine } from '../../../../libs/store/audit/story.ts';
import type { StoryLineAnswer } from '../../contract/story.ts';
import { waitedOf } from '../../presenters/association-history.ts';

type EventKind = Exclude<StoryLineAnswer['kind'], 'version' | 'push'>;

const KINDS: [RegExp, EventKind][] = [
  [/^(?:GET|HEAD) \/:mount\/(?:data\/)?\*path$/, 'read'],
  [/ \/sys\/wrapping\/unwrap$/, 'read'],
  [/ \/sys\/reveal\//, 'reveal'],
  [/^link$| .*\/associations\/set(?:-many)?$/, 'link'],
  [/^unlink$| .*\/associations\/remove(?:-many)?$/, 'unlink'],
];

/** A line of the story of a secret. Attributes that do not apply to its kind are absent. */
export function presentStoryLine(line: StoryLine): StoryLineAnswer {
  const time = line.at.toISOString();
  if (line.source === 'version') {
    return {
      kind: 'version',
      at: time,
      by: line.by,
      version: line.id,
      deleted_at: line.deleted_at?.toISOString() ?? null,
      destroyed: line.destroyed,
    };
  }
  if (line.source === 'push') {
    const { destination_type: type, destination_name: name } = line;
    return {
      kind: 'push',
      at: time,
      by: line.trigger?.by ?? null,
      // Null: the destination was gone before its name was kept.
      destination: type !== null && name !== null ? { type, name } : null,
      sub_key: line.sub_key,
      external_name: line.external_name,
      action: line.action,
      version: line.version,
      outcome: line.outcome,
      cause: line.cause,
      trigger: line.trigger?.cause ?? null,
      ...waitedOf(line.trigger),
      ...(line.trigger?.change ? { change: line.trigger.change } : {}),
    };
  }
  return presentEvent(line, time);
}

function presentEvent(line: EventLine, time: string): StoryLineAnswer {
  return {
    kind: KINDS.find(([pattern]) => pattern.test(line.action))?.[1] ?? 'change',
    at: time,
    by: line.username ?? line.actor,
    accessor: line.accessor,
    auth_method: line.authMethod,
    address: line.address,
    action: line.action,
    path: line.path,
    outcome: line.outcome,
    status: line.status,
    request_id: line.requestId,
    detail: line.detail,
  };
}
