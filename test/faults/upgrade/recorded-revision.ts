/** Version 0.2.0, the first one that later versions upgrade. It serves until there is a tag. */
export const RECORDED_REVISION = 'fbe5b79a7a1055164ecef8330ba602545590ef5d';
