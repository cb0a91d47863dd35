/**
 * How Node.js runs a process of the service; deploy/container/sealift says the same to the shell. Source maps: traces name our
 * sources. Semi-space: by default the young objects of a busy process take up to 128 MiB, which an idle one keeps. Measured on
 * 2026-11-30 (2 × AMD EPYC, Node 24): a worker with 100,000 associations queued takes 136 MiB instead of 184, the API with 500
 * busy connections 180 instead of 252. A read costs as much of the processor with 20 connections, and a third to two thirds more
 * with 500.
 */
export const NODE_FLAGS = ['--enable-source-maps', '--max-semi-space-size=8'];

/** By default glibc keeps freed memory for each thread: 4 MiB more for each process. */
export const NODE_ENVIRONMENT = { MALLOC_ARENA_MAX: '2' };
