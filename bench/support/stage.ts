import { createClient, type Client } from '../../test/support/client.ts';
import type { Fakes } from './fakes.ts';
import type { Floor } from '../floor/floor.ts';
import { startInstallation, type Installation } from './installation.ts';
import type { Row } from './row.ts';

/** What all measures use: the fakes and the floor of the whole run, and the size of the run. */
export type Stage = {
  quick: boolean;
  fakes: Fakes;
  floor: Floor;
  /** How often a figure is measured; the report shows the median. */
  rounds: number;
  say: (text: string) => void;
};

/** One file of `bench/measures`. */
export type Measure = {
  name: string;
  /** The folders of what it measures, beside its own file and the floor. */
  measures: string[];
  run: (stage: Stage) => Promise<Row[]>;
};

/** An installation with a client, for one measure. */
export type Scene = Installation & { client: Client };

/** Runs a measure on a new installation, which ends in any case. */
export async function withInstallation<Result>(
  stage: Stage,
  play: (scene: Scene) => Promise<Result>,
  environment: Record<string, string> = {},
): Promise<Result> {
  const installation = await startInstallation({ ...stage.fakes.environment, ...environment });
  try {
    return await play({
      ...installation,
      client: createClient(installation.url, installation.token, { isUnchecked: true }),
    });
  } finally {
    await installation.stop();
  }
}

/** Runs a measure on several installations at once, one per item, so that the installations can take turns. */
export function withInstallations<Item, Made, Result>(
  stage: Stage,
  items: Item[],
  make: (scene: Scene, item: Item) => Promise<Made>,
  play: (made: Made[]) => Promise<Result>,
): Promise<Result> {
  // Each installation runs within the one before it, so it ends in any case.
  const nest = ([item, ...others]: Item[], made: Made[]): Promise<Result> =>
    item === undefined
      ? play(made)
      : withInstallation(stage, async (scene) => nest(others, [...made, await make(scene, item)]));
  return nest(items, []);
}
