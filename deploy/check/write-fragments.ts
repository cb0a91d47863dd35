import { writeFragments } from './fragments.ts';

// npm run fragments: the parts of README, manual, compose file, chart and units that tell of each destination type.
await writeFragments();
