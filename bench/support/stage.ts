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
