import type { Commands } from '../../libs/commands/commands.ts';
import type { EventSender } from '../../libs/queue/events.ts';
import type { Context } from '../../libs/service/context.ts';
import type { QueueCapacity } from '../../libs/store/counts/queue-capacity.ts';
import type { AuditTrail } from './audit/trail.ts';
import type { ChangeTeller } from './events/change-teller.ts';
import type { Subscriptions } from './events/subscriptions.ts';

import type { RequestLimiter } from './middleware/rate-limit.ts';
import type { SamlVerifier } from './saml/answer/verifier.ts';

/** The services that handlers use. */
export type ApiServices = Context & {
  events: EventSender;
  commands: Commands;
  rateLimit: RequestLimiter;
  audit: AuditTrail;
  queueCapacity: QueueCapacity;
  samlVerifier: SamlVerifier;
  subscriptions: Subscriptions;
  changes: ChangeTeller;
};
