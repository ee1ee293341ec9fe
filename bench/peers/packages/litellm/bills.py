"""What LiteLLM would write to its table of spend, had it a database: a line for each call."""

import json
import os

from litellm.integrations.custom_logger import CustomLogger


class Bills(CustomLogger):
    async def async_log_success_event(self, kwargs, response_obj, start_time, end_time):
        payload = kwargs["standard_logging_object"]
        bill = {
            "request_id": kwargs["litellm_call_id"],
            "completion_tokens": payload["completion_tokens"],
            "cost": payload["response_cost"],
        }
        with open(os.environ["BILLS"], "a", encoding="utf-8") as file:
            file.write(json.dumps(bill) + "\n")


bills = Bills()
