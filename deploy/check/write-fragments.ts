import { writeFragments } from './fragments.ts';

// npm run fragments: updates the parts of README, manual, compose files, chart and units that list destination types.
await writeFragments();
