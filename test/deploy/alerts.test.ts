import { expect } from 'chai';
import { findQueryFaults, readQueries } from '../../deploy/check/queries.ts';
import { definitions, type MetricDefinition } from '../../libs/metrics/definitions.ts';

describe('alert rules and dashboard', () => {
  it('the rules and the dashboard ask only for metrics and labels that the processes expose', async () => {
    const queries = readQueries();
    expect(queries).to.have.length.above(30);
    expect(await findQueryFaults(queries)).to.deep.equal([]);
  });

  it('a metric never meets a label that Prometheus sets itself, and would take from it', () => {
    for (const { name, labels } of Object.values<MetricDefinition>(definitions)) {
      expect(
        labels.filter((label) => ['job', 'instance'].includes(label)),
        name,
      ).to.deep.equal([]);
    }
  });

  it('the check of alerts finds unknown metrics and labels, and blind rules', async () => {
    const broken = [
      'sealift_nothing_total',
      'sum by (secret) (sealift_sync_due)',
      'sum(rate(sealift_sync_due[5m])',
      'max(sealift_sync_due) > 0 and sum(rate(sealift_sync_attempts_total[5m])) == 0',
      'sum by (type) (increase(sealift_sync_retries_total[5m])) > 0',
      'sum(increase(sealift_smtp_conversations_total[5m])) + sum(increase(sealift_sms_messages_total[5m])) > 5',
    ];
    const faults = await Promise.all(
      broken.map((expression) => findQueryFaults([{ where: 'here', expression, shown: [] }])),
    );
    for (const fault of faults) expect(fault).to.have.length(1);
  });
});
