import type { Example } from '../example.ts';

export const refusals: (Example & { family: 'secrets' | 'admin' })[] = [];
