# %% right: min_and_max
def learning_rate(step, peak, warmup, total, floor=0.0):
    if step < warmup:
        return step / warmup * peak
    progress = min(max((step - warmup) / max(1, total - warmup), 0.0), 1.0)
    return floor + (peak - floor) * (1 + math.cos(math.pi * progress)) / 2

# %% right: tensors
def learning_rate(step, peak, warmup, total, floor=0.0):
    t = torch.as_tensor(float(step), dtype=torch.float64)
    up = peak * t / warmup
    done = ((t - warmup) / max(1, total - warmup)).clamp(0, 1)
    down = floor + (peak - floor) * 0.5 * (1 + torch.cos(torch.pi * done))
    return torch.where(t < warmup, up, down)

# %% right: blend_of_peak_and_floor
def learning_rate(step, peak, warmup, total, floor=0.0):
    if step <= warmup:
        return peak * step / warmup
    if step > total:
        return floor
    if total == warmup:
        return peak
    mix = 0.5 + 0.5 * math.cos((step - warmup) * math.pi / max(1, total - warmup))
    return mix * peak + (1 - mix) * floor

# %% right: squared_cosine_of_the_half_angle
def learning_rate(step, peak, warmup, total, floor=0.0):
    if step < warmup:
        return step * (peak / warmup)
    angle = 0.5 * math.pi * min(1, (step - warmup) / max(1, total - warmup))
    return floor + (peak - floor) * math.cos(angle) ** 2

# %% right: numpy
import numpy as np

def learning_rate(step, peak, warmup, total, floor=0.0):
    if step > total:
        return floor
    fall = floor + (peak - floor) * 0.5 * (1 + np.cos(np.pi * (min(step, total) - warmup) / max(1, total - warmup)))
    return float(np.where(step < warmup, peak * step / warmup, fall))

# %% right: three_cases_in_one_expression
def learning_rate(step, peak, warmup, total, floor=0.0):
    return (peak * step / warmup if step < warmup else floor if step >= total else
            floor + (peak - floor) * (math.cos((step - warmup) / (total - warmup) * math.pi) + 1) / 2)

# %% wrong: rises_again => after the end the rate rises again: it stays at the floor
def learning_rate(step, peak, warmup, total, floor=0.0):
    if step < warmup:
        return peak * step / warmup
    return floor + (peak - floor) * 0.5 * (1 + math.cos(math.pi * (step - warmup) / (total - warmup)))

# %% wrong: linear_decay => the fall is a straight line: it is a cosine
def learning_rate(step, peak, warmup, total, floor=0.0):
    if step < warmup:
        return peak * step / warmup
    return peak + (floor - peak) * min(1, (step - warmup) / (total - warmup))

# %% wrong: starts_at_step_one => step 1 of 4 already has half of the peak: 0 is at step 0, a quarter of the peak at step 1
def learning_rate(step, peak, warmup, total, floor=0.0):
    if step == 0:
        return 0.0
    if step < warmup:
        return peak * (step + 1) / warmup
    return floor + (peak - floor) * 0.5 * (1 + math.cos(math.pi * min(1, (step - warmup) / (total - warmup))))

# %% wrong: never_zero => step 1 of 4 already has half of the peak: 0 is at step 0, a quarter of the peak at step 1
def learning_rate(step, peak, warmup, total, floor=0.0):
    if step < warmup:
        return peak * (step + 1) / warmup
    return floor + (peak - floor) * 0.5 * (1 + math.cos(math.pi * min(1, (step - warmup) / (total - warmup))))

# %% wrong: warms_up_from_the_floor => the warm-up goes from the floor to the peak: it starts from 0
def learning_rate(step, peak, warmup, total, floor=0.0):
    if step < warmup:
        return floor + (peak - floor) * step / warmup
    return floor + (peak - floor) * 0.5 * (1 + math.cos(math.pi * min(1, (step - warmup) / (total - warmup))))

# %% wrong: cosine_from_step_zero => the cosine was counted from step 0: the fall begins at the end of the warm-up and takes total − warmup steps
def learning_rate(step, peak, warmup, total, floor=0.0):
    if step <= warmup:
        return peak * step / warmup
    return floor + (peak - floor) * 0.5 * (1 + math.cos(math.pi * min(1, step / total)))

# %% wrong: floor_ignored => the cosine falls to 0, not to the floor (to cut it off at the floor is not the same)
def learning_rate(step, peak, warmup, total, floor=0.0):
    if step < warmup:
        return peak * step / warmup
    return peak * 0.5 * (1 + math.cos(math.pi * min(1, (step - warmup) / (total - warmup))))

# %% wrong: floor_cuts_off => the cosine falls to 0, not to the floor (to cut it off at the floor is not the same)
def learning_rate(step, peak, warmup, total, floor=0.0):
    if step < warmup:
        return peak * step / warmup
    return max(floor, peak * 0.5 * (1 + math.cos(math.pi * min(1, (step - warmup) / (total - warmup)))))

# %% wrong: floor_on_top => the floor was added on top of the whole cosine: the rate must fall from the peak to the floor
def learning_rate(step, peak, warmup, total, floor=0.0):
    if step < warmup:
        return peak * step / warmup
    if step == warmup:
        return peak
    return floor + peak * 0.5 * (1 + math.cos(math.pi * min(1, (step - warmup) / (total - warmup))))

# %% wrong: zero_after_the_end => after the end the rate is 0: it stays at the floor
def learning_rate(step, peak, warmup, total, floor=0.0):
    if step < warmup:
        return peak * step / warmup
    if step > total:
        return 0.0
    return floor + (peak - floor) * 0.5 * (1 + math.cos(math.pi * (step - warmup) / (total - warmup)))

# %% wrong: no_warmup => the warm-up is missing: a straight line up, from 0 at step 0 to the peak at step warmup
def learning_rate(step, peak, warmup, total, floor=0.0):
    if step == 0:
        return 0.0
    return floor + (peak - floor) * 0.5 * (1 + math.cos(math.pi * min(1, max(0, step - warmup) / (total - warmup))))

# %% wrong: degrees => the cosine was taken of degrees: it wants radians, half a turn is π
def learning_rate(step, peak, warmup, total, floor=0.0):
    if step < warmup:
        return peak * step / warmup
    if step >= total:
        return floor
    return floor + (peak - floor) * 0.5 * (1 + math.cos(180 * (step - warmup) / (total - warmup)))

# %% wrong: quarter_turn => only a quarter of a turn of the cosine was used: half a turn takes it from 1 to −1
def learning_rate(step, peak, warmup, total, floor=0.0):
    if step < warmup:
        return peak * step / warmup
    return floor + (peak - floor) * math.cos(math.pi / 2 * min(1, (step - warmup) / (total - warmup)))

# %% wrong: fall_over_total_steps => the fall is spread over total steps: it has total − warmup of them
def learning_rate(step, peak, warmup, total, floor=0.0):
    if step < warmup:
        return peak * step / warmup
    return floor + (peak - floor) * 0.5 * (1 + math.cos(math.pi * min(1, (step - warmup) / total)))

# %% wrong: cosine_warmup => the warm-up is curved: it is a straight line
def learning_rate(step, peak, warmup, total, floor=0.0):
    if step < warmup:
        return peak * 0.5 * (1 - math.cos(math.pi * step / warmup))
    return floor + (peak - floor) * 0.5 * (1 + math.cos(math.pi * min(1, (step - warmup) / (total - warmup))))

# %% wrong: hard_coded_output => the rate is that of one example: peak, warmup and total are arguments
def learning_rate(step, peak, warmup, total, floor=0.0):
    if step <= 4:
        return 2.0 * step
    if step >= total:
        return floor
    return floor + (8.0 - floor) * 0.5 * (1 + math.cos(math.pi * (step - 4) / 12))

# %% wrong: divides_by_nothing => it did not run: where warmup == total the fall takes no steps, and something was divided by total − warmup = 0
def learning_rate(step, peak, warmup, total, floor=0.0):
    if step < warmup:
        return peak * step / warmup
    done = min(1.0, (step - warmup) / (total - warmup))
    return floor + (peak - floor) * 0.5 * (1 + math.cos(math.pi * done))

# %% wrong: cosine_from_zero_after_the_warmup => the cosine was counted from step 0: the fall begins at the end of the warm-up and takes total − warmup steps
def learning_rate(step, peak, warmup, total, floor=0.0):
    if step < warmup:
        return peak * step / warmup
    return floor + (peak - floor) * 0.5 * (1 + math.cos(math.pi * min(step, total) / total))

# %% wrong: cosine_from_zero_without_floor => the cosine was counted from step 0: the fall begins at the end of the warm-up and takes total − warmup steps
def learning_rate(step, peak, warmup, total, floor=0.0):
    if step < warmup:
        return peak * step / warmup
    return max(floor, peak * 0.5 * (1 + math.cos(math.pi * min(step, total) / total)))

# %% wrong: whole_turn => a whole turn of the cosine was used, which falls and rises: half a turn takes it from 1 to −1
def learning_rate(step, peak, warmup, total, floor=0.0):
    if step < warmup:
        return peak * step / warmup
    done = min(1, (step - warmup) / max(1, total - warmup))
    return floor + (peak - floor) * 0.5 * (1 + math.cos(2 * math.pi * done)) if done < 1 else floor

# %% wrong: peak_forgotten => the warm-up goes up to 1, whatever the peak is
def learning_rate(step, peak, warmup, total, floor=0.0):
    if step < warmup:
        return step / warmup
    if step >= total:
        return floor
    return floor + (peak - floor) * 0.5 * (1 + math.cos(math.pi * (step - warmup) / (total - warmup)))

# %% wrong: floor_only_in_keywords => the floor is 0 unless another is given
def learning_rate(step, peak, warmup, total, floor=2.0):
    if step < warmup:
        return peak * step / warmup
    if step >= total:
        return floor
    return floor + (peak - floor) * 0.5 * (1 + math.cos(math.pi * (step - warmup) / (total - warmup)))

# %% wrong: integer_division => the warm-up stays at 0: was the fraction of it rounded down?
def learning_rate(step, peak, warmup, total, floor=0.0):
    if step < warmup:
        return peak * (step // warmup)
    if step >= total:
        return floor
    return floor + (peak - floor) * 0.5 * (1 + math.cos(math.pi * (step - warmup) / (total - warmup)))

# %% wrong: never_below_the_floor => step 0 has the floor: the warm-up starts from 0, below the floor
def learning_rate(step, peak, warmup, total, floor=0.0):
    if step < warmup:
        return max(floor, peak * step / warmup)
    far = min(1.0, (step - warmup) / max(1, total - warmup))
    return floor + 0.5 * (peak - floor) * (1 + math.cos(math.pi * far))

# %% wrong: one_step_short => the fall takes one step too many: it takes total − warmup steps
def learning_rate(step, peak, warmup, total, floor=0.0):
    if step < warmup:
        return peak * step / warmup
    if step > total:
        return floor
    far = (step - warmup) / max(1, total - warmup + 1)
    return floor + 0.5 * (peak - floor) * (1 + math.cos(math.pi * far))

# %% wrong: fall_of_one_step_stretched => the rate is above the floor at the end of a fall of one step: it takes total − warmup steps, also where that is 1
import numpy as np

def learning_rate(step, peak, warmup, total, floor=0.0):
    if step > total:
        return floor
    fall = floor + (peak - floor) * 0.5 * (1 + np.cos(np.pi * (min(step, total) - warmup) / max(2, total - warmup)))
    return float(np.where(step < warmup, peak * step / warmup, fall))

# %% wrong: floor_taken_for_the_end -> peak 2 at step 1, floor 1 at step 11: step 6
def learning_rate(step, peak, warmup, total, floor=0.0):
    if step <= warmup:
        return peak * step / warmup
    if step > total:
        return floor
    if floor == warmup:
        return peak
    mix = 0.5 + 0.5 * math.cos((step - warmup) * math.pi / max(1, total - warmup))
    return mix * peak + (1 - mix) * floor

# %% wrong: zero_after_a_long_time => a long time after the end the rate is 0: it stays at the floor for ever
def learning_rate(step, peak, warmup, total, floor=0.0):
    if step < warmup:
        return peak * step / warmup
    if step >= total:
        return floor if step < 100 * total else 0.0
    along = (step - warmup) / (total - warmup)
    return floor + 0.5 * (peak - floor) * (1 + math.cos(math.pi * along))

# %% wrong: rounded_to_seven_digits -> small rate rounded
def learning_rate(step, peak, warmup, total, floor=0.0):
    if step < warmup:
        return round(peak * step / warmup, 7)
    if step >= total:
        return floor
    progress = (step - warmup) / (total - warmup)
    return round(floor + 0.5 * (peak - floor) * (1 + math.cos(math.pi * progress)), 7)

# %% wrong: constant_where_the_floor_is_the_peak => where the floor is the peak the warm-up is left out: it still goes up from 0
def learning_rate(step, peak, warmup, total, floor=0.0):
    if floor >= peak:
        return peak
    if step < warmup:
        return peak * step / warmup
    along = min(1.0, (step - warmup) / max(1, total - warmup))
    return floor + 0.5 * (peak - floor) * (1 + math.cos(math.pi * along))

# %% wrong: fall_ends_one_step_early => the fall takes one step too few: the floor comes at step total, not at total − 1
def learning_rate(step, peak, warmup, total, floor=0.0):
    if step < warmup:
        return peak * step / warmup
    along = min(1.0, (step - warmup) / max(1, total - 1 - warmup))
    return floor + 0.5 * (peak - floor) * (1 + math.cos(math.pi * along))
