import { createClient, type Client } from '../../test/support/client.ts';
import type { Fakes } from './fakes.ts';
import type { Floor } from './floor.ts';
import { startInstallation, type Installation } from './installation.ts';
import type { Row } from './row.ts';

/** What every measure plays on: fakes and floor of the whole run, and how large the run is. */
export type Stage = {
  quick: boolean;
  fakes: Fakes;
  floor: Floor;
  /** How often a figure is taken; the median is reported. */
  rounds: number;
  say: (text: string) => void;
};

/** One file of `bench/measures`. */
export type Measure = { name: string; run: (stage: Stage) => Promise<Row[]> };

/** An installation with a client, for the time of one measure. */
export type Scene = Installation & { client: Client };

/** Runs a measure's play on a new installation and ends it in any case. */
export async function withInstallation<Result>(
  stage: Stage,
  play: (scene: Scene) => Promise<Result>,
  environment: Record<string, string> = {},
): Promise<Result> {
  const installation = await startInstallation({ ...stage.fakes.environment, ...environment });
  try {
    return await play({ ...installation, client: createClient(installation.url, installation.token) });
  } finally {
    await installation.stop();
  }
}

/** Runs a play on several installations that are there at once, made one for each item: so that they can have their turns. */
export function withInstallations<Item, Made, Result>(
  stage: Stage,
  items: Item[],
  make: (scene: Scene, item: Item) => Promise<Made>,
  play: (made: Made[]) => Promise<Result>,
): Promise<Result> {
  // Each lives within the one before it, and so is ended in any case.
  const nest = ([item, ...others]: Item[], made: Made[]): Promise<Result> =>
    item === undefined
      ? play(made)
      : withInstallation(stage, async (scene) => nest(others, [...made, await make(scene, item)]));
  return nest(items, []);
}
