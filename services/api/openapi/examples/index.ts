import type { Example } from '../example.ts';

export const exampleTables: Example[][] = [];
