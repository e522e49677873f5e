import { testSamples } from '../samples.ts';
import { hostileCampaigns } from './campaigns.ts';

testSamples(hostileCampaigns);
