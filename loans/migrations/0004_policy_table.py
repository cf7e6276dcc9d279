"""The policy table takes the place of the default policy, rows of blocks that of a member's reason."""

import django.db.models.deletion
import django.db.models.functions.comparison
from django.conf import settings
from django.db import migrations, models
from django.utils import timezone


def say_the_default_policy(apps, _schema_editor):
    """The default policy was the only one that counted: its values become rows for everybody."""
    default = apps.get_model('loans', 'LoanPolicy').objects.filter(is_default=True).first()
    if default is None:
        return
    rows = apps.get_model('loans', 'PolicyRow').objects
    for rule in ('loan_days', 'max_loans', 'max_renewals', 'lends_while_late'):
        rows.create(rule=rule, number=int(getattr(default, rule)))


def block_by_rows(apps, _schema_editor):
    """A blocked card is blocked from today until somebody lifts it."""
    blocks = apps.get_model('loans', 'Block').objects
    blocked = apps.get_model('loans', 'Member').objects.exclude(block_reason='')
    for member in blocked.iterator():
        blocks.create(member=member, reason=member.block_reason, starts_on=timezone.localdate())


class Migration(migrations.Migration):

    dependencies = [
        ('catalogue', '0004_removed_rules_texts'),
        ('loans', '0003_games_days_and_desk_notes'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Block',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('reason', models.CharField(max_length=300, verbose_name='reason')),
                ('starts_on', models.DateField(verbose_name='from')),
                ('ends_on', models.DateField(blank=True, null=True, verbose_name='last day')),
                ('lifted_at', models.DateTimeField(blank=True, null=True, verbose_name='lifted')),
                ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='by')),
                ('lifted_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='lifted by')),
            ],
            options={
                'verbose_name': 'block',
                'verbose_name_plural': 'blocks',
                'ordering': ('-starts_on', '-pk'),
            },
        ),
        migrations.CreateModel(
            name='HouseholdMove',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(verbose_name='at')),
                ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('joined', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='arrivals', to='loans.household')),
                ('left', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='leavings', to='loans.household')),
            ],
            options={
                'verbose_name': 'move between households',
                'verbose_name_plural': 'moves between households',
                'ordering': ('-pk',),
            },
        ),
        migrations.CreateModel(
            name='Membership',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('starts_on', models.DateField(verbose_name='from')),
                ('ends_on', models.DateField(verbose_name='last day')),
                ('fee_cents', models.PositiveIntegerField(verbose_name='fee')),
                ('sold_at', models.DateTimeField(verbose_name='sold')),
                ('before', models.JSONField(default=dict)),
                ('cancelled_at', models.DateTimeField(blank=True, null=True, verbose_name='taken back')),
                ('nonce', models.CharField(blank=True, max_length=64)),
                ('household', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='memberships', to='loans.household', verbose_name='household')),
            ],
            options={
                'verbose_name': 'membership',
                'verbose_name_plural': 'memberships',
                'ordering': ('-pk',),
            },
        ),
        migrations.CreateModel(
            name='MembershipKind',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=100, verbose_name='name')),
                ('fee_cents', models.PositiveIntegerField(default=0, verbose_name='fee')),
                ('months', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='months')),
                ('ends_month', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='ends in month')),
                ('ends_day', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='ends on day')),
                ('for_household', models.BooleanField(default=True, verbose_name='for the whole household')),
                ('on_sale', models.BooleanField(default=True, verbose_name='on sale')),
            ],
            options={
                'verbose_name': 'kind of membership',
                'verbose_name_plural': 'kinds of membership',
                'ordering': ('name', 'pk'),
            },
        ),
        migrations.CreateModel(
            name='PolicyRow',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('class_prefix', models.CharField(blank=True, max_length=20, verbose_name='class of games')),
                ('rule', models.CharField(choices=[('loan_days', 'loan days'), ('due_mode', 'due date on a closed day'), ('max_loans', 'loans at once'), ('counts_household', 'loans are counted for the whole household'), ('max_of_kind', 'loans of this kind at once'), ('max_renewals', 'renewals'), ('renewal_base', 'a renewal runs from'), ('grace_days', 'days of grace'), ('lends_while_late', 'lends to who has a late game'), ('fee_per_loan', 'fee per loan'), ('fee_per_day', 'fee per day'), ('late_fee_per_day', 'late fee per day'), ('late_fee_cap', 'late fee, at most'), ('deposit', 'deposit'), ('max_holds', 'reservations at once'), ('hold_shelf_days', 'days on the reservation shelf'), ('min_age', 'minimum age'), ('membership_required', 'needs a membership'), ('conditions_required', 'needs signed conditions'), ('staff_may_waive', 'staff may set a refusal aside')], max_length=30, verbose_name='rule')),
                ('number', models.PositiveIntegerField(blank=True, null=True, verbose_name='number')),
                ('word', models.CharField(blank=True, max_length=20, verbose_name='choice')),
            ],
            options={
                'verbose_name': 'policy',
                'verbose_name_plural': 'policies',
                'ordering': ('pk',),
            },
        ),
        migrations.AlterModelOptions(
            name='member',
            options={'ordering': ('last_name', 'first_name', 'card_number'), 'permissions': (('use_desk', 'May lend and take back'), ('waive_refusal', 'May waive a refusal'), ('manage_members', 'May register members and sell memberships'), ('manage_policies', 'May change what the library allows')), 'verbose_name': 'member', 'verbose_name_plural': 'members'},
        ),
        migrations.AddField(
            model_name='member',
            name='conditions_signed_on',
            field=models.DateField(blank=True, null=True, verbose_name='conditions signed on'),
        ),
        migrations.AddField(
            model_name='member',
            name='hides_loans',
            field=models.BooleanField(default=False, verbose_name='keeps the loans from the household'),
        ),
        migrations.AddField(
            model_name='block',
            name='member',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='blocks', to='loans.member', verbose_name='member'),
        ),
        migrations.AddField(
            model_name='householdmove',
            name='member',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='moves', to='loans.member', verbose_name='member'),
        ),
        migrations.AddField(
            model_name='membership',
            name='member',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='memberships', to='loans.member', verbose_name='member'),
        ),
        migrations.AddField(
            model_name='membership',
            name='sold_by',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddConstraint(
            model_name='membershipkind',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('ends_day', None), ('ends_month', None), ('months__gte', 1), ('months__isnull', False)), models.Q(('ends_day__isnull', False), ('ends_day__range', (1, 31)), ('ends_month__isnull', False), ('ends_month__range', (1, 12)), ('months', None)), _connector='OR'), name='membership_is_rolling_or_fixed'),
        ),
        migrations.AddField(
            model_name='membership',
            name='kind',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='sold', to='loans.membershipkind', verbose_name='kind'),
        ),
        migrations.AddField(
            model_name='policyrow',
            name='branch',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='catalogue.branch', verbose_name='branch'),
        ),
        migrations.AddField(
            model_name='policyrow',
            name='game_category',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='catalogue.category', verbose_name='game category'),
        ),
        migrations.AddField(
            model_name='policyrow',
            name='member_category',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='loans.membercategory', verbose_name='member category'),
        ),
        migrations.AddConstraint(
            model_name='block',
            constraint=models.CheckConstraint(condition=models.Q(('reason', ''), _negated=True), name='block_has_a_reason'),
        ),
        migrations.AddConstraint(
            model_name='block',
            constraint=models.CheckConstraint(condition=models.Q(('ends_on', None), ('ends_on__gte', models.F('starts_on')), _connector='OR'), name='block_ends_after_it_begins'),
        ),
        migrations.AddConstraint(
            model_name='householdmove',
            constraint=models.CheckConstraint(condition=models.Q(('left__isnull', False), ('joined__isnull', False), _connector='OR'), name='move_leaves_or_joins'),
        ),
        migrations.AddConstraint(
            model_name='membership',
            constraint=models.CheckConstraint(condition=models.Q(('ends_on__gte', models.F('starts_on'))), name='membership_ends_after_it_begins'),
        ),
        migrations.AddConstraint(
            model_name='membership',
            constraint=models.UniqueConstraint(condition=models.Q(('nonce', ''), _negated=True), fields=('nonce',), name='one_membership_per_click'),
        ),
        migrations.AddConstraint(
            model_name='policyrow',
            constraint=models.UniqueConstraint(models.F('rule'), django.db.models.functions.comparison.Coalesce('branch', models.Value(0)), django.db.models.functions.comparison.Coalesce('member_category', models.Value(0)), django.db.models.functions.comparison.Coalesce('game_category', models.Value(0)), models.F('class_prefix'), name='one_policy_for_a_scope'),
        ),
        migrations.AddConstraint(
            model_name='policyrow',
            constraint=models.CheckConstraint(condition=models.Q(('game_category', None), ('class_prefix', ''), _connector='OR'), name='policy_names_one_kind_of_games'),
        ),
        migrations.AddConstraint(
            model_name='policyrow',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('number', None), ('rule', 'due_mode'), ('word__in', ('calendar_days', 'next_open_day', 'same_weekday'))), models.Q(('number', None), ('rule', 'renewal_base'), ('word__in', ('today', 'due_date'))), models.Q(('number__in', (0, 1)), ('number__isnull', False), ('rule__in', ('counts_household', 'lends_while_late', 'membership_required', 'conditions_required', 'staff_may_waive')), ('word', '')), models.Q(('rule__in', ('max_loans', 'max_of_kind', 'late_fee_cap', 'max_holds', 'min_age')), ('word', '')), models.Q(models.Q(('rule__in', ('due_mode', 'renewal_base', 'counts_household', 'lends_while_late', 'membership_required', 'conditions_required', 'staff_may_waive', 'max_loans', 'max_of_kind', 'late_fee_cap', 'max_holds', 'min_age')), _negated=True), ('number__isnull', False), ('word', '')), _connector='OR'), name='policy_value_fits_its_rule'),
        ),
        migrations.RunPython(say_the_default_policy, migrations.RunPython.noop),
        migrations.RunPython(block_by_rows, migrations.RunPython.noop),
        migrations.DeleteModel(
            name='LoanPolicy',
        ),
        migrations.RemoveField(
            model_name='member',
            name='block_reason',
        ),
    ]
