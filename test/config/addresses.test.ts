import { expect } from 'chai';
import { ConfigError, loadConfig } from '../../libs/config/config.ts';
import { redactConfig } from '../../libs/config/redact.ts';
import { spawnProcess } from '../support/child-process.ts';

const environment = {
  DATABASE_URL: 'postgres://sealift:password@db:5432/sealift',
  AMQP_URL: 'amqp://sealift:password@mq:5672',
  SEALIFT_MASTER_KEY: Buffer.alloc(32, 1).toString('base64'),
};

describe('impossible configurations', () => {
  const faultsOf = (changes: Record<string, string>): string[] => {
    try {
      loadConfig({ ...environment, ...changes });
      return [];
    } catch (error) {
      if (error instanceof ConfigError) return error.faults;
      throw error;
    }
  };

  it('an address that is none is refused, and no password is repeated', () => {
    const bad = {
      DATABASE_URL: ['localhost/sealift', 'postgres://sealift:hun#ter2@db/sealift', 'mysql://hunter2@db/x'],
      AMQP_URL: ['mq:5672', 'amqp://sealift:hun/ter2@mq', 'http://hunter2@mq'],
      PUBLIC_URL: ['sealift.example.com', 'ftp://sealift.example.com'],
      OTEL_EXPORTER_OTLP_ENDPOINT: ['collector:4318'],
      SMS_API_URL: ['sms.example.com'],
    };
    for (const [name, values] of Object.entries(bad)) {
      for (const value of values) {
        const faults = faultsOf({ [name]: value });
        expect(faults, value).to.have.length(1);
        expect(faults[0])
          .to.match(new RegExp(`^${name} `))
          .and.not.match(/hunter2|ter2/);
      }
    }
  });

  it('an address that the drivers take is not suspected', () => {
    const good = [
      'postgresql://db/sealift',
      'postgres://sealift:p%23ss@[::1]:5432/sealift?sslmode=require',
      'postgres://sealift:password@/sealift?host=/var/run/postgresql',
      'postgres:///sealift?host=/var/run/postgresql',
      'socket:/var/run/postgresql?db=sealift',
      '/var/run/postgresql sealift',
      'postgres://sealift:p%23ss@a:5432,b,[::1]:5433/sealift?sslmode=require',
    ];
    for (const url of good) expect(faultsOf({ DATABASE_URL: url }), url).to.deep.equal([]);
    for (const url of ['amqps://mq/%2Fvhost?heartbeat=10', 'amqp://s:p@a:5672,b,[::1]:5673/vhost'])
      expect(faultsOf({ AMQP_URL: url }), url).to.deep.equal([]);
    expect(faultsOf({ PUBLIC_URL: 'https://example.com/sealift/' })).to.deep.equal([]);
  });

  it('a list of hosts that cannot be used is refused, and the text says so', () => {
    const lists = {
      DATABASE_URL: [
        'postgres://s:hunter2@a:5432,/sealift',
        'postgres://hunter2@a,,b/sealift',
        'postgres://a,b:port/sealift',
        'postgres://s:hunter2@a,b/sealift?host=c',
      ],
      AMQP_URL: ['amqp://s:hunter2@a:5672,', 'amqp://s:hunter2@,b/', 'amqp://a,b:port'],
    };
    for (const [name, values] of Object.entries(lists))
      for (const value of values) {
        const faults = faultsOf({ [name]: value });
        expect(faults, value).to.have.length(1);
        expect(faults[0])
          .to.match(new RegExp(`^${name} has a list of hosts that cannot be read`))
          .and.not.match(/hunter2/);
      }
    const good = { DATABASE_URL: 'postgres://s:a,b@db/sealift' };
    expect(faultsOf(good), 'a comma in a password').to.deep.equal([]);
  });

  it('an invalid egress rule or webhook is refused at the start', () => {
    const key = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const hook = (url: string, secret = key) => ({
      NOTIFY_WEBHOOK_URL: url,
      NOTIFY_WEBHOOK_SECRET: secret,
    });
    const bad: [Record<string, string>, RegExp][] = [
      [{ EGRESS_ALLOW: '10.0.0.0/99' }, /EGRESS_ALLOW .*10\.0\.0\.0\/99/],
      [{ EGRESS_ALLOW: '10.0.0.0/8, https://vault.corp' }, /EGRESS_ALLOW .*: https:\/\/vault\.corp$/],
      [hook('ftp://hooks.example'), /NOTIFY_WEBHOOK_URL must begin/],
      [hook('https://user:hunter2@hooks.example'), /NOTIFY_WEBHOOK_URL must not contain a user name/],
      [hook('https://hooks.example', 'whsec_no base64, this one'), /NOTIFY_WEBHOOK_SECRET must have base64/],
    ];
    for (const [changes, fault] of bad) {
      const faults = faultsOf(changes);
      expect(faults, JSON.stringify(changes)).to.have.length(1);
      expect(faults[0])
        .to.match(fault)
        .and.not.match(/hunter2/);
    }
    for (const good of [
      { EGRESS_ALLOW: '10.0.0.0/8,fd00::/8,127.0.0.1,localhost,*.corp.example,.internal' },
      hook('https://hooks.example/x?y=z'),
      hook('https://hooks.example', 'a text of some length'),
    ])
      expect(faultsOf(good), JSON.stringify(good)).to.deep.equal([]);
  });

  it('a password within any address is masked in what a process logs of its configuration', () => {
    const config = loadConfig({
      ...environment,
      OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector:hunter2@otel.example',
      SMS_API_URL: 'https://sms:hunter2@sms.example',
    });
    expect(JSON.stringify(redactConfig(config)))
      .to.contain('https://*****@otel.example')
      .and.not.contain('hunter2');
  });

  it('a time that no timer can keep is refused: it would go off at once, and again and again', () => {
    for (const name of ['SWEEP_INTERVAL', 'COMMAND_TIMEOUT', 'SHUTDOWN_TIMEOUT', 'RETRY_MAX']) {
      expect(faultsOf({ [name]: '3000000000' }), name).to.have.length(1);
    }
  });

  it('a malformed or unreadable master key ends a process with code 78, and names the setting', async () => {
    const keys: [string, Record<string, string>][] = [
      ['SEALIFT_MASTER_KEY', { SEALIFT_MASTER_KEY: 'short' }],
      ['SEALIFT_MASTER_KEY_FILE', { SEALIFT_MASTER_KEY: '', SEALIFT_MASTER_KEY_FILE: '/no/such/file' }],
      ['SEALIFT_MASTER_KEY_FILE', { SEALIFT_MASTER_KEY: '', SEALIFT_MASTER_KEY_FILE: '/dev/null' }],
      ['SEALIFT_OLD_MASTER_KEYS', { SEALIFT_OLD_MASTER_KEYS: 'short' }],
    ];
    for (const [named, key] of keys) {
      const process = await spawnProcess('programs/settings/main.js', { ...environment, ...key });
      expect(await process.ended, process.output()).to.equal(78);
      expect(process.output())
        .to.contain('the configuration is not valid')
        .and.match(new RegExp(`"faults":\\["[^"]*\\b${named}\\b`));
    }
  });
});
