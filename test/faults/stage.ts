import { setTimeout as sleep } from 'node:timers/promises';
import type { Caller } from './caller.ts';
import type { Model } from './model.ts';
import type { Random } from './random.ts';
import type { Syncing } from './syncing.ts';

/** What the actors share. `anomalies` collects answers that contradict the model's history. */
export type Stage = {
  model: Model;
  caller: Caller;
  syncing: Syncing;
  random: Random;
  running: () => boolean;
  /** Longest pause of an actor between two operations, in milliseconds. */
  pauseMs: number;
  anomalies: string[];
};

type Operation = {
  about: string;
  name: string;
  method: string;
  path: string;
  body?: unknown;
  accept: number[];
};

/** Waits this long, or until the run ends. */
export async function pause(stage: Stage, milliseconds: number): Promise<void> {
  for (const end = Date.now() + milliseconds; Date.now() < end && stage.running();) await sleep(50);
}

/** Repeats an operation until it is decided, and records it. An answer that it does not accept is an anomaly. */
export async function perform(stage: Stage, operation: Operation) {
  const { about, name, method, path, body, accept } = operation;
  const { answer, attempts } = await stage.caller.send(method, path, body);
  stage.model.history.push({
    at: Date.now(),
    about,
    operation: name,
    outcome: String(answer.status),
    attempts,
  });
  if (!accept.includes(answer.status))
    stage.anomalies.push(`${about}: ${name} was answered ${answer.status} ${answer.text}`);
  return { answer, attempts };
}
