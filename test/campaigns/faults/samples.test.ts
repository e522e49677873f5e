import { testSamples } from '../samples.ts';
import { faultCampaigns } from './campaigns.ts';

testSamples(faultCampaigns);
