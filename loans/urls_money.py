"""Addresses of money: accounts, receipts, vouchers, the till and its journal."""

from django.urls import path

from loans import money_views, till_views

urlpatterns = [
    path("money/", money_views.index, name="money"),
    path("money/<int:pk>/", money_views.account, name="money-account"),
    path("money/members/<int:pk>/", money_views.of_member, name="money-member"),
    path("money/households/<int:pk>/", money_views.of_household, name="money-household"),
    path("money/entries/<int:pk>/receipt/", money_views.receipt, name="money-receipt"),
    path("money/entries/<int:pk>/reverse/", money_views.reverse_entry, name="money-reverse"),
    path("money/games/<int:pk>/receipt/", money_views.loans_receipt, name="loans-receipt"),
    path("money/loans/<int:pk>/refund/", money_views.refund, name="money-refund"),
    path("money/vouchers/", money_views.vouchers, name="money-vouchers"),
    path("till/", till_views.show, name="till"),
    path("till/move/", till_views.move, name="till-move"),
    path("till/close/", till_views.close, name="till-close"),
    path("till/days/<int:pk>/", till_views.day, name="till-day"),
    path("till/journal/", till_views.journal, name="till-journal"),
    path("till/journal.csv", till_views.journal_file, name="till-journal-file"),
]
