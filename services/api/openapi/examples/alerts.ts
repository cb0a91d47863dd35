import type { Example } from '../example.ts';
import { ends, gives } from './build.ts';

const NAME = { name: 'on-call' };
const RULE = {
  name: 'on-call',
  read_only: false,
  enabled: true,
  channel: 'email',
  addresses: ['on-call@example.com'],
  happenings: ['associations.failing'],
  minutes: 5,
  resolved: true,
  causes: [],
  destinations: ['cloud1-sm/*'],
  namespaces: [],
  muted_until: '',
  quiet_from: '22:00',
  quiet_to: '06:00',
  quiet_days: [],
  quiet_time_zone: 'Europe/Berlin',
};

/** Rules for alerts. */
export const alertExamples: Example[] = [
  gives('POST /sys/alerts/:name', 'Tell the people on call', RULE, {
    params: NAME,
    body: {
      addresses: ['on-call@example.com'],
      happenings: ['associations.failing'],
      minutes: 5,
      destinations: ['cloud1-sm/*'],
      quiet_from: '22:00',
      quiet_to: '06:00',
      quiet_time_zone: 'Europe/Berlin',
    },
  }),
  gives('GET /sys/alerts/:name', 'Read it back', RULE, { params: NAME }),
  gives('LIST /sys/alerts', 'How do they do?', {
    keys: ['on-call'],
    key_info: {
      'on-call': {
        channel: 'email',
        recipients: ['on-call@example.com'],
        enabled: true,
        read_only: false,
        muted_until: null,
        last_delivered: null,
        failing: null,
        held: 0,
      },
    },
  }),
  gives(
    'POST /sys/alerts/:name/test',
    'Does it reach them?',
    {
      ok: false,
      tries: [{ recipient: 'on-call@example.com', ok: false, detail: 'Not sent: email is not enabled.' }],
    },
    { params: NAME },
  ),
  gives(
    'GET /sys/alerts/:name/deliveries',
    'What was sent?',
    {
      deliveries: [
        {
          id: 'msg_5kZDcPM4uVYDlrgziDV5LH2q',
          recipient: 'on-call@example.com',
          happenings: ['alert.test'],
          about: [],
          outcome: 'failed',
          detail: 'Not sent: email is not enabled.',
          queued_at: '2030-01-02T03:04:05.000Z',
          attempts: 1,
          tried_at: '2030-01-02T03:04:05.000Z',
          next_try_at: null,
        },
      ],
    },
    { params: NAME },
  ),
  ends('DELETE /sys/alerts/:name', 'Delete a rule', { params: NAME }),
];
