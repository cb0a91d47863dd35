import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A proxy to a broker that can stop serving channels. Connections and their heartbeats stay well. */
export type UnservedChannels = {
  port: number;
  /** From now on nothing of what clients send on their open channels arrives, until they close them. */
  begin: () => void;
  close: () => Promise<void>;
};

// AMQP 0-9-1: a protocol header, and then frames of type, channel, size, payload and an end mark.
const HEADER_BYTES = 8;
const FRAME_BYTES = 7;
const METHOD_FRAME = 1;
// Its methods open and close a channel.
const CHANNEL_CLASS = 20;

/** Starts the proxy. Undo: `close`. */
export async function startUnservedChannels(target: number): Promise<UnservedChannels> {
  const sockets = new Set<Socket>();
  const served = new Map<Socket, Set<number>>();
  const server = createServer((client) => {
    const upstream = connect({ port: target, host: '127.0.0.1' });
    const channels = new Set<number>();
    served.set(client, channels);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
    }
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
    upstream.pipe(client);
    const forward = (frame: Buffer): void => {
      const channel = frame.readUInt16BE(1);
      if (isOfChannel(frame)) channels.add(channel);
      if (channel === 0 || channels.has(channel)) upstream.write(frame);
    };
    client.on('data', createCutter({ header: (header) => upstream.write(header), frame: forward }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    begin: () => {
      for (const channels of served.values()) channels.clear();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

function isOfChannel(frame: Buffer): boolean {
  return frame[0] === METHOD_FRAME && frame.readUInt16BE(FRAME_BYTES) === CHANNEL_CLASS;
}

// Cuts what a client sends into the protocol header and frames.
function createCutter(take: {
  header: (header: Buffer) => void;
  frame: (frame: Buffer) => void;
}): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0);
  let isBegun = false;
  const nextLength = (): number => {
    if (!isBegun) return HEADER_BYTES;
    return rest.length < FRAME_BYTES ? Infinity : FRAME_BYTES + rest.readUInt32BE(3) + 1;
  };
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    for (let length = nextLength(); rest.length >= length; length = nextLength()) {
      const part = rest.subarray(0, length);
      rest = rest.subarray(length);
      if (isBegun) take.frame(part);
      else take.header(part);
      isBegun = true;
    }
  };
}
